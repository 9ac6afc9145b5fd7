/** Rules for which types of files may be uploaded. */
import { ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { OCTETS, typeOfName } from "./naming.ts";

/** Types with content that a browser may run or follow. */
const ACTIVE = /^(?:text\/(?:html|xml|xsl|javascript)|application\/(?:.+\+xml|xml|javascript)|image\/svg\+xml)$/;
/** Types that can be detected reliably from content. */
const BINARY = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|gzip)$)/;

/** Types that browsers display themselves and that cannot contain code. */
const HARMLESS = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/pdf$|text\/plain$)/;

/** Whether files of the type may contain code or links that a browser follows. */
export const isActive = (type: string): boolean => ACTIVE.test(type);

/** Whether it is safe for a browser to display files of the type from our address. */
export const isHarmless = (type: string): boolean => HARMLESS.test(type) && !isActive(type);

const matches = (pattern: string, type: string): boolean =>
  pattern === "*/*" || pattern === type || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1)));

/**
 * Refuses types that the configuration does not allow. Checks the type detected from content and the one that the
 * extension stands for, with which the file will be served.
 *
 * @throws ValidationError naming the file and the type
 */
export const checkType = (
  { allow, deny }: Config["media"]["types"],
  file: { readonly name: string; readonly type: string; readonly ext: string | null },
): void => {
  const served = file.ext === null ? file.type : typeOfName(file.ext);
  for (const type of new Set([file.type, served])) {
    const unknown = type === OCTETS && type !== file.type;
    const allowed = unknown || allow.some((pattern) => matches(pattern, type));
    if (!allowed || deny.some((pattern) => matches(pattern, type))) {
      throw new ValidationError(`${file.name}: files of type ${type} are not allowed`);
    }
  }
  if (isActive(served) && BINARY.test(file.type)) {
    throw new ValidationError(`${file.name}: the content is ${file.type}, but the name stands for ${served}`);
  }
};
