/** Names and sizes of stored files. */
import { randomBytes } from "node:crypto";
import { basename, extname } from "node:path";
import slugify from "@sindresorhus/slugify";
import mime from "mime";

/**
 * Longest slug: file systems and object stores allow 255 bytes, which also hold a format's prefix, the random part and
 * the extension.
 */
const LONGEST_SLUG = 150;
const LONGEST_NAME = 255;
/** The type of files of unknown content. */
export const OCTETS = "application/octet-stream";

const EXTENSION = /^\.[A-Za-z0-9]{1,16}$/;

/** The name to keep: the last part of a path, in composed Unicode, without invisible characters. */
export const cleanName = (name: string): string =>
  [...basename(name.replaceAll("\\", "/")).normalize().replace(/\p{C}/gu, "")].slice(0, LONGEST_NAME).join("");

/** Whether the name has an extension. */
export const hasExtension = (name: string): boolean => EXTENSION.test(extname(name));

/** The extension of a name, with its dot and in its letter case; else that of the type; null if neither has one. */
export const extensionOf = (name: string, type: string): string | null => {
  const own = extname(name);
  if (EXTENSION.test(own)) return own;
  const known = mime.getExtension(type);
  return known === null || type === OCTETS ? null : `.${known}`;
};

/** The media type for the extension of a name or key; `application/octet-stream` if it is unknown. */
export const typeOfName = (name: string): string => mime.getType(name) ?? OCTETS;

/** The part of a file's address that identifies its content: the name as a slug, and ten random hex digits. */
export const makeHash = (name: string, ext: string | null): string => {
  const base = basename(name, ext ?? undefined);
  const slug = slugify(base, { separator: "_", lowercase: false }).slice(0, LONGEST_SLUG);
  return `${slug}_${randomBytes(5).toString("hex")}`;
};

/** Kilobytes with two decimals. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100;
