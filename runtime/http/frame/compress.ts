/** Compression of responses, for clients that accept it and texts that are long enough. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The supported codings, best first. */
const codings = ["br", "gzip"] as const;
export type Coding = (typeof codings)[number];

/** Characters below which compressing costs more than it saves. */
export const LEAST_COMPRESSED = 1024;

/** Quality of brotli: higher ones take several times as long to save a few percent. */
const QUALITY = 4;
const LEVEL = 6;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const isRefused = (parameter: string): boolean => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter);

const accepts = (header: string, coding: Coding): boolean =>
  header.split(",").some((item) => {
    const [name = "", ...parameters] = item.split(";");
    return name.trim().toLowerCase() === coding && !parameters.some(isRefused);
  });

/** The coding to use for an `Accept-Encoding` header; undefined if the client accepts none that we support. */
export const codingFor = (header: string): Coding | undefined => codings.find((coding) => accepts(header, coding));

/** Compresses text or its UTF-8 bytes, in a thread of Node's pool, so that the main thread goes on answering. */
export const compress = (text: string | Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> =>
  coding === "br"
    ? brotli(text, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      })
    : zip(text, { level: LEVEL });
