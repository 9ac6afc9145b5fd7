/** Finds out what a file is, from its first bytes and from what its sender says. */
import { fileTypeFromBuffer, supportedMimeTypes } from "file-type";
import { OCTETS } from "./naming.ts";

/** As many bytes from the start of a file tell its type. */
export const HEAD = 65_536;

/** Containers whose content several types share: a sender who names one of those knows better. */
const refined: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(?:vnd\.|epub\+zip$|java-archive$|x-zip)/,
  "application/x-cfb": /^application\/(?:msword$|vnd\.ms-|x-msi$)/,
  "application/xml": /^image\/svg\+xml$|\+xml$|^text\/xml$/,
  "video/mp4": /^(?:audio|video)\//,
  "video/webm": /^audio\/webm$/,
  "application/ogg": /^(?:audio|video)\/ogg$/,
};

/** The media type without parameters, in lower case; the general one when it is missing or makes no sense. */
export const essence = (declared: string | undefined): string => {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type) ? type : OCTETS;
};

const isSvg = (head: Uint8Array): boolean => /<svg[\s/>]/i.test(new TextDecoder("latin1").decode(head));

/**
 * Whether a text has, at its fifth character, what marks the containers of films and photographs: those begin with the
 * length of that mark. Of `<!--ftypheic--><svg …` libraries that render drawings would look at the drawing.
 */
const isTextWithMark = (head: Uint8Array): boolean => {
  if (new TextDecoder("latin1").decode(head.subarray(4, 8)) !== "ftyp") return false;
  return new DataView(head.buffer, head.byteOffset).getUint32(0) > HEAD;
};

const detect = async (head: Uint8Array): Promise<string | undefined> => {
  if (isTextWithMark(head)) return undefined;
  try {
    return (await fileTypeFromBuffer(head))?.mime.split(";")[0];
  } catch {
    // A header that cannot be followed is no known type.
    return undefined;
  }
};

/**
 * The media type of a file. Content wins over what was declared; where content tells nothing, as with text, the
 * declaration is believed, unless it claims a kind of image that content would have shown.
 *
 * @param head the first {@link HEAD} bytes
 * @param declared the type that the sender gave
 */
export const sniffType = async (head: Uint8Array, declared: string | undefined): Promise<string> => {
  const claim = essence(declared);
  const found = await detect(head);
  if (found === undefined) {
    if (claim === "image/svg+xml") return isSvg(head) ? claim : OCTETS;
    return claim.startsWith("image/") && supportedMimeTypes.has(claim) ? OCTETS : claim;
  }
  if (found === "application/xml" && isSvg(head)) return "image/svg+xml";
  return refined[found]?.test(claim) ? claim : found;
};
