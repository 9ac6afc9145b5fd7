/** Compression of answers, where the client takes it and it is worth its time. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Codings that we have, the better one first. */
const codings = ["br", "gzip"] as const;
export type Coding = (typeof codings)[number];

/** Characters below which compressing costs more than it saves. */
export const LEAST_COMPRESSED = 1024;

/** Beyond this quality brotli takes several times as long for a few percent. */
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

/** The coding for a client that sends this `Accept-Encoding`; undefined where it takes none of ours. */
export const codingFor = (header: string): Coding | undefined => codings.find((coding) => accepts(header, coding));

/** The compressed text, which may be bytes of UTF-8 already. It is made beside the thread that answers requests. */
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
