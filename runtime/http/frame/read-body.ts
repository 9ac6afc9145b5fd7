/** Reads the text of a body, whole or compressed. */
import { Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AbandonedError, BadRequestError, HttpError } from "../../base/errors.ts";

const tooLarge = (): HttpError => new HttpError(413, "PayloadTooLargeError", "request entity too large", null);

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What undoes the encoding of a body; undefined when it has none. One that is not known is a 415. */
const decompressorOf = (request: Request): (() => Transform) | undefined => {
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return undefined;
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (decompressor) return decompressor;
  throw new HttpError(415, "Error", `Unsupported Content-Encoding: ${encoding}`, null);
};

/** JSON and forms are UTF-8, whatever a content type says of them. */
const decoded = (bytes: AllowSharedBufferSource): string => new TextDecoder().decode(bytes);

const readChunks = async (chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> => {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    held.push(chunk);
  }
  return decoded(held.length === 1 && held[0] ? held[0] : Buffer.concat(held));
};

/** Reads what a sender sends; one who hangs up before the end waits for no answer. */
const whileSent = async <Read>(reading: Promise<Read>): Promise<Read> => {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof HttpError ? error : new AbandonedError();
  }
};

/** What was compressed counts at its full size: a few bytes can stand for very many. */
const readCompressed = async (body: Readable, decompressor: Transform, limit: number): Promise<string> => {
  body.on("error", (error) => decompressor.destroy(error));
  try {
    return await readChunks(body.pipe(decompressor), limit);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new BadRequestError("The compressed body cannot be read", null);
  } finally {
    body.destroy();
    decompressor.destroy();
  }
};

/**
 * Reads the text of a body of at most `limit` bytes.
 *
 * @throws HttpError 413 for a body that says or turns out to be larger, 415 for an encoding that is not known, 400 for
 *   one that cannot be undone
 */
export const readText = async (request: Request, limit: number): Promise<string> => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limit) throw tooLarge();
  const decompressor = decompressorOf(request);
  // The server holds a sender to the length that it announced, so the quick way is safe: it needs no stream.
  if (length !== null && !decompressor) return decoded(await whileSent(request.arrayBuffer()));
  if (!request.body) return "";
  if (decompressor) return readCompressed(Readable.from(request.body, { objectMode: false }), decompressor(), limit);
  return whileSent(readChunks(request.body, limit));
};
