/**
 * Responses to reads: with an ETag, so that clients can ask whether anything has changed, and compressed if they accept
 * it.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { StatusCode } from "hono/utils/http-status";
import type { Headers } from "./headers.ts";

/** The supported codings, best first. */
const codings = ["br", "gzip"] as const;
type Coding = (typeof codings)[number];

/** Characters below which compressing costs more than it saves. */
const LEAST_COMPRESSED = 1024;

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
const codingFor = (header: string): Coding | undefined => codings.find((coding) => accepts(header, coding));

/** Compresses text or its UTF-8 bytes, in a thread of Node's pool, so that the main thread goes on answering. */
const compress = (text: string | Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> =>
  coding === "br"
    ? brotli(text, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      })
    : zip(text, { level: LEVEL });

export type Bytes = Uint8Array<ArrayBuffer>;

/** A copy with its own memory: small Buffers share Node's pool, and those of the compressors share larger ones. */
const ownBytes = (bytes: Uint8Array): Bytes => Buffer.from(new Uint8Array(bytes).buffer);

/** Bytes that a response, or one of its compressed forms, takes besides its content: objects, tag, promises. */
const OVERHEAD = { answer: 1000, form: 400 };

/** A successful response, before it is fitted to what the client has and accepts. */
export class ReadAnswer {
  readonly body: string | Bytes;
  /** The headers of the whole response, besides the standard ones. */
  readonly headers: Headers;
  /** Identifies what the response says; undefined if it is always sent whole. */
  readonly tag: string | undefined;
  readonly #compressed = new Map<Coding, Promise<Bytes>>();
  #size: number;

  constructor(body: string | Bytes, headers: Headers, tag?: string) {
    this.body = body;
    this.headers = headers;
    this.tag = tag;
    this.#size = body.length + OVERHEAD.answer;
  }

  /** The response with an ETag. The tag is weak because the compressed forms have the same one. */
  static tagged(text: string, headers: Headers): ReadAnswer {
    const tag = `W/"${hash("sha1", text, "base64")}"`;
    return new ReadAnswer(text, { ETag: tag, ...headers }, tag);
  }

  get isCompressible(): boolean {
    return this.tag !== undefined && this.body.length >= LEAST_COMPRESSED;
  }

  /** Its memory in bytes, including the compressed forms made so far. */
  get size(): number {
    return this.#size;
  }

  /** The same response as bytes with their own memory, which Node sends faster. */
  toBytes(): ReadAnswer {
    return new ReadAnswer(ownBytes(Buffer.from(this.body)), this.headers, this.tag);
  }

  compressed(coding: Coding): Promise<Bytes> {
    const known = this.#compressed.get(coding);
    if (known) return known;
    const bytes = compress(this.body, coding).then((made) => {
      this.#size += made.length + OVERHEAD.form;
      return ownBytes(made);
    });
    this.#compressed.set(coding, bytes);
    bytes.catch(() => this.#compressed.delete(coding));
    return bytes;
  }
}

/** A response without the standard headers. Its own headers override those. */
export interface Reply {
  readonly status: StatusCode;
  readonly headers: Headers;
  readonly body: string | Bytes | null;
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether a condition names the version with this tag. `*` names no version, so it counts as no condition. */
const names = (condition: string | undefined, tag: string | undefined): boolean =>
  condition !== undefined && tag !== undefined && condition.split(",").some((each) => opaque(each) === opaque(tag));

/** The request headers that decide in which form a response is sent. */
export interface Conditions {
  /** `If-None-Match`. */
  readonly known: string | undefined;
  /** `Accept-Encoding`; undefined if the server does not compress. */
  readonly codings: string | undefined;
}

/** Fits a response to a request: a 304 if the client already has it, compressed if the client accepts that. */
export const fitted = (answer: ReadAnswer, { known, codings }: Conditions): Reply | Promise<Reply> => {
  const accepted = answer.isCompressible ? codings : undefined;
  const headers: Headers =
    accepted === undefined
      ? answer.headers
      : { ...answer.headers, Vary: `${answer.headers["Vary"] ?? "Origin"}, Accept-Encoding` };
  if (names(known, answer.tag)) {
    const { "Content-Type": _type, ...others } = headers;
    return { status: 304, headers: others, body: null };
  }
  const coding = accepted === undefined ? undefined : codingFor(accepted);
  if (coding === undefined) return { status: 200, headers, body: answer.body };
  return answer
    .compressed(coding)
    .then((body): Reply => ({ status: 200, headers: { ...headers, "Content-Encoding": coding }, body }));
};
