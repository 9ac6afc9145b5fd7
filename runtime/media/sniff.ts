/** Determines the type of a file from its first bytes and the declared type. */
import { OCTETS } from "./naming.ts";

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

/** Loaded at the first upload: it has a reader for each of many formats. */
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
