/** How stored files are named, and how their size is told. */
import { randomBytes } from "node:crypto";
import { basename, extname } from "node:path";
import slugify from "@sindresorhus/slugify";
import mime from "mime";

/** File systems and object stores take 255 bytes; prefixes of formats, the random part and the extension need some. */
const LONGEST_SLUG = 150;
const LONGEST_NAME = 255;
/** The type of bytes that nothing is known of. */
export const OCTETS = "application/octet-stream";

const EXTENSION = /^\.[A-Za-z0-9]{1,16}$/;

/** The name as it is kept: the last part of a path, composed characters, nothing that cannot be shown. */
export const cleanName = (name: string): string =>
  [...basename(name.replaceAll("\\", "/")).normalize().replace(/\p{C}/gu, "")].slice(0, LONGEST_NAME).join("");

/** Whether a name has an extension of its own. */
export const hasExtension = (name: string): boolean => EXTENSION.test(extname(name));

/** The extension of a name, with its dot and in its own case; else that of the type; null when neither tells. */
export const extensionOf = (name: string, type: string): string | null => {
  const own = extname(name);
  if (EXTENSION.test(own)) return own;
  const known = mime.getExtension(type);
  return known === null || type === OCTETS ? null : `.${known}`;
};

/** The media type that the end of a name or key stands for; `application/octet-stream` when it stands for none. */
export const typeOfName = (name: string): string => mime.getType(name) ?? OCTETS;

/** What identifies the bytes of a file in its address: the name in plain letters and ten random hex digits. */
export const makeHash = (name: string, ext: string | null): string => {
  const base = basename(name, ext ?? undefined);
  const slug = slugify(base, { separator: "_", lowercase: false }).slice(0, LONGEST_SLUG);
  return `${slug}_${randomBytes(5).toString("hex")}`;
};

/** Kilobytes with two decimals. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100;
