/** Names and types of files: what a file may be called, of which type it is, and which types may be uploaded. */
import { randomBytes } from "node:crypto";
import { basename, extname } from "node:path";
import slugify from "@sindresorhus/slugify";
import mime from "mime";
import { ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";

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

/** Bytes from the start of a file that are needed to determine its type. */
export const HEAD = 65_536;

/**
 * Container formats that several types share: if the declared type is one of these, it is more precise than the
 * detected one.
 */
const refined: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(?:vnd\.|epub\+zip$|java-archive$|x-zip)/,
  "application/x-cfb": /^application\/(?:msword$|vnd\.ms-|x-msi$)/,
  "application/xml": /^image\/svg\+xml$|\+xml$|^text\/xml$/,
  "video/mp4": /^(?:audio|video)\//,
  "video/webm": /^audio\/webm$/,
  "application/ogg": /^(?:audio|video)\/ogg$/,
};

/** A media type without parameters, in lower case; `application/octet-stream` if it is missing or invalid. */
export const essence = (declared: string | undefined): string => {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type) ? type : OCTETS;
};

/** Loaded at the first upload, since it has readers for many formats. */
const detector = () => import("file-type");

const isSvg = (head: Uint8Array): boolean => /<svg[\s/>]/i.test(new TextDecoder("latin1").decode(head));

/**
 * Whether a text has "ftyp" at its fifth character, like the containers of videos and photographs, which begin with a
 * length. For `<!--ftypheic--><svg …` the detected type would be an image, but libraries would render the SVG.
 */
const isTextWithMark = (head: Uint8Array): boolean => {
  if (new TextDecoder("latin1").decode(head.subarray(4, 8)) !== "ftyp") return false;
  return new DataView(head.buffer, head.byteOffset).getUint32(0) > HEAD;
};

const detect = async (head: Uint8Array): Promise<string | undefined> => {
  if (isTextWithMark(head)) return undefined;
  try {
    const { fileTypeFromBuffer } = await detector();
    return (await fileTypeFromBuffer(head))?.mime.split(";")[0];
  } catch {
    // A broken header means an unknown type.
    return undefined;
  }
};

/**
 * The media type of a file. The detected type wins over the declared one. If nothing is detected, as with text, the
 * declared type is used, unless it is a kind of image that would have been detected.
 *
 * @param head the first {@link HEAD} bytes
 * @param declared the type from the request
 */
export const sniffType = async (head: Uint8Array, declared: string | undefined): Promise<string> => {
  const claim = essence(declared);
  const found = await detect(head);
  if (found === undefined) {
    if (claim === "image/svg+xml") return isSvg(head) ? claim : OCTETS;
    if (!claim.startsWith("image/")) return claim;
    const { supportedMimeTypes } = await detector();
    return supportedMimeTypes.has(claim) ? OCTETS : claim;
  }
  if (found === "application/xml" && isSvg(head)) return "image/svg+xml";
  return refined[found]?.test(claim) ? claim : found;
};
