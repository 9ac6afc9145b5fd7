/** Which types of files may be uploaded at all. */
import { ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { OCTETS, typeOfName } from "./naming.ts";

/** Types that a browser may run or follow when it is shown them. */
const ACTIVE = /^(?:text\/(?:html|xml|xsl|javascript)|application\/(?:.+\+xml|xml|javascript)|image\/svg\+xml)$/;
/** Types that are told from content for certain. */
const BINARY = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|gzip)$)/;

/** Types that browsers show by themselves, and that cannot run code. */
const HARMLESS = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/pdf$|text\/plain$)/;

/** Whether a type may carry code or links that a browser follows. */
export const isActive = (type: string): boolean => ACTIVE.test(type);

/** Whether a browser may show files of a type as they are, from any address. */
export const isHarmless = (type: string): boolean => HARMLESS.test(type) && !isActive(type);

const matches = (pattern: string, type: string): boolean =>
  pattern === "*/*" || pattern === type || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1)));

/**
 * Refuses what the configuration does not want. Both the type that the content shows and the one that the file will be
 * served as, by its extension, have to be allowed.
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
