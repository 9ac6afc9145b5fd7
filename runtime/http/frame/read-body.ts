/** Reads the text of a body, whole or compressed. */
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AbandonedError, BadRequestError, HttpError } from "../../base/errors.ts";

const tooLarge = (): HttpError => new HttpError(413, "PayloadTooLargeError", "request entity too large", null);

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Creates the stream that decompresses the body; undefined when it is not compressed. Throws 415 for an unknown
 * encoding.
 */
const decompressorOf = (request: Request): (() => Transform) | undefined => {
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return undefined;
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (decompressor) return decompressor;
  throw new HttpError(415, "Error", `Unsupported Content-Encoding: ${encoding}`, null);
};

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The position of the first invalid UTF-8 byte; plain decoding would replace it. */
const invalidByte = (bytes: Buffer): number => {
  const replaced = Buffer.from(bytes.toString());
  return bytes.findIndex((byte, index) => byte !== replaced[index]);
};

/** Decodes as UTF-8, which JSON and forms use here whatever charset the content type names. */
const decoded = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BadRequestError(`The body is not valid UTF-8, from byte ${invalidByte(bytes)} on`, null);
  }
};

const readChunks = async (chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> => {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    held.push(chunk);
  }
  return decoded(Buffer.concat(held));
};

/**
 * Reads the text of a body of at most `limit` bytes.
 *
 * @throws HttpError 413 for a body that is larger, by its announced or its real length; 415 for an unknown encoding;
 *   400 for one that cannot be decompressed
 */
export const readText = async (request: Request, limit: number): Promise<string> => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limit) throw tooLarge();
  const decompressor = decompressorOf(request);
  try {
    // Node holds the sender to the announced length, so the whole body can be read at once, without a stream that counts.
    if (length !== null && !decompressor) return decoded(Buffer.from(await request.arrayBuffer()));
    if (!request.body) return "";
    const through = decompressor?.() ?? new PassThrough();
    // The limit applies to the decompressed size, since a few bytes can expand to very many.
    return await pipeline(request.body, through, (chunks: AsyncIterable<Uint8Array>) => readChunks(chunks, limit));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof Error && "errno" in error)
      throw new BadRequestError("The compressed body cannot be read", null);
    // A client that disconnects before the end gets no response, so this does not count as an error of ours.
    throw new AbandonedError();
  }
};
