import { HttpError } from "../errors.ts";

const tooLarge = (): HttpError => new HttpError(413, "PayloadTooLargeError", "request entity too large", null);

/** Reads the text of a body of at most `limit` bytes. A body that says or turns out to be larger is a 413. */
export const readText = async (request: Request, limit: number, charset: string): Promise<string> => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limit) throw tooLarge();
  const decoder = decoderOf(charset);
  // The server holds a sender to the length that it announced, so the quick way is safe.
  if (length !== null) return decoder.decode(await request.arrayBuffer());
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
};

const decoderOf = (charset: string) => {
  try {
    return new TextDecoder(charset);
  } catch {
    throw new HttpError(415, "UnsupportedMediaTypeError", "specified encoding unsupported", null);
  }
};
