/** Serves stored files at `/uploads/<key>`, whole or in part. */
import type { Readable } from "node:stream";
import type { Context } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import type { ByteRange, ObjectInfo } from "../../base/storage.ts";
import { typeOfName, isHarmless } from "../../media/file-types.ts";
import type { AppEnv } from "../context.ts";

/**
 * The same bytes as a web stream, for the body of a response whose announced length is `length`. Cancelling it also
 * closes the source.
 *
 * A file may be replaced after its length was looked up. The client would read excess bytes as the beginning of the
 * next answer on its connection, and wait for missing ones. So the stream fails instead, before it emits an excess
 * byte, which also closes the connection.
 */
const webStream = (source: Readable, length: number): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array, undefined> = source[Symbol.asyncIterator]();
  let left = length;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done = false, value } = await chunks.next();
      left -= value?.length ?? 0;
      if (left < 0 || (done && left > 0)) {
        source.destroy();
        throw new Error("The file was replaced while it was sent");
      }
      if (value) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel() {
      source.destroy();
    },
  });
};

/**
 * Policy for served files: they cannot run scripts, load anything or submit forms, and do not share the API's origin.
 */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** The content type to serve a file with. Scripts are served as plain text, so that no page can load and run them. */
const servedType = (key: string): string => {
  const type = typeOfName(key);
  if (/javascript/.test(type)) return "text/plain; charset=utf-8";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
};

const etagOf = ({ size, modified, tag }: ObjectInfo): string => {
  const parts = [size.toString(36), modified.getTime().toString(36)];
  return `"${[...parts, ...(tag === undefined ? [] : [encodeURIComponent(tag)])].join("-")}"`;
};

const headersOf = (key: string, info: ObjectInfo): Record<string, string> => {
  const type = servedType(key);
  const safe = isHarmless(type.split(";")[0] ?? "");
  return {
    "Content-Type": type,
    "Accept-Ranges": "bytes",
    // The file at an address can be replaced, so caches must not keep it for long.
    "Cache-Control": "public, max-age=60",
    ETag: etagOf(info),
    "Last-Modified": info.modified.toUTCString(),
    // Other sites may embed media.
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(safe ? {} : { "Content-Security-Policy": SANDBOX }),
  };
};

/**
 * The single range in a `Range` header; null if it lies outside of the file, undefined if the whole file is to be sent.
 */
const parseRange = (header: string | undefined, size: number): ByteRange | null | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "")
    return size === 0 || Number(to) === 0 ? null : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  const end = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < start) return undefined;
  return start >= size ? null : { start, end };
};

const isFresh = (c: Context<AppEnv>, etag: string, modified: Date): boolean => {
  const tags = c.req.header("if-none-match");
  if (tags !== undefined) return tags === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  const since = c.req.header("if-modified-since");
  return since !== undefined && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
};

/**
 * Handles GET and HEAD of a stored file. Answers 304 and 206 if the request asks for it, 416 for an impossible range.
 */
export const serveFile = async (c: Context<AppEnv>): Promise<Response> => {
  const { storage } = c.get("services").media;
  const key = c.req.param("key") ?? "";
  const info = await storage.stat(key);
  if (!info) throw new NotFoundError();
  const headers = headersOf(key, info);
  const etag = headers["ETag"] ?? "";
  if (isFresh(c, etag, info.modified)) return c.body(null, 304, headers);
  const condition = c.req.header("if-range");
  // A date would not tell versions of the same second apart, and the client would put their parts together.
  const applies = condition === undefined || condition === etag;
  const range = applies ? parseRange(c.req.header("range"), info.size) : undefined;
  if (range === null) return c.body(null, 416, { ...headers, "Content-Range": `bytes */${info.size}` });
  const length = range ? range.end - range.start + 1 : info.size;
  const partial = range ? { "Content-Range": `bytes ${range.start}-${range.end}/${info.size}` } : {};
  const all = { ...headers, ...partial, "Content-Length": String(length) };
  const status = range ? 206 : 200;
  if (c.req.method === "HEAD") return c.body(null, status, all);
  const body = await storage.read(key, range);
  if (!body) throw new NotFoundError();
  return c.body(webStream(body, length), status, all);
};
