import { Readable } from "node:stream";
/** Stores files in a bucket of Amazon S3 or a compatible service. */
import type { AwsClient } from "aws4fetch";
import type { ObjectDetails, ObjectInfo, StorageProvider, StoredObject } from "../base/storage.ts";
import type { Config } from "../config/config.ts";

type S3Settings = NonNullable<Config["media"]["s3"]>;

/** Sends a request to the bucket. `path` is a key and a query. */
type S3Request = (path: string, init: RequestInit) => Promise<Response>;

/** Throws an error with the service's message if the status is not in `expected`. */
const expectStatus = async (response: Response, action: string, ...expected: number[]): Promise<Response> => {
  if (expected.includes(response.status)) return response;
  const said = (await response.text()).slice(0, 500);
  throw new Error(`S3 refused to ${action}: ${response.status} ${said}`);
};

const tooSlow = (): Error => new Error("S3 takes too long to answer");

const addressOf = ({ endpoint, region, bucket, pathStyle = endpoint !== undefined }: S3Settings): string => {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  const base = url.href.replace(/\/$/, "");
  return pathStyle ? `${base}/${bucket}` : base;
};

const createClient = async (settings: S3Settings): Promise<AwsClient> => {
  const { AwsClient } = await import("aws4fetch");
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_SESSION_TOKEN } = process.env;
  const own = settings.accessKeyId !== undefined;
  return new AwsClient({
    accessKeyId: settings.accessKeyId ?? AWS_ACCESS_KEY_ID,
    secretAccessKey: settings.secretAccessKey ?? AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && !own ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    region: settings.region,
    service: "s3",
    retries: 3,
  });
};

/** The response, whose body fails if the service stalls while somebody waits for more of it. */
const guarded = (response: Response, milliseconds: number, give: AbortController): Response => {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const timer = setTimeout(() => give.abort(tooSlow()), milliseconds);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, headers });
};

/** Creates the function for requests to the configured bucket. Temporary failures are retried. */
export const createRequest = (settings: S3Settings): S3Request => {
  const address = addressOf(settings);
  let creating: Promise<AwsClient> | undefined;
  return async (path, init) => {
    const client = await (creating ??= createClient(settings));
    const give = new AbortController();
    const seconds = init.body ? settings.requestSeconds : settings.idleSeconds;
    const timer = setTimeout(() => give.abort(tooSlow()), seconds * 1000);
    try {
      const response = await client.fetch(`${address}/${path}`, { ...init, signal: give.signal });
      return guarded(response, settings.idleSeconds * 1000, give);
    } finally {
      clearTimeout(timer);
    }
  };
};

/** Bytes of a part. S3 requires at least 5 MiB and at most 10 000 parts: enough for 80 GB. */
const PART = 8 * 1024 * 1024;

/**
 * Splits a stream into buffers of `PART` bytes; the last one may be shorter. Yields an empty buffer for an empty
 * stream.
 */
async function* partsOf(body: Readable): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let held: Uint8Array[] = [];
  let size = 0;
  let count = 0;
  for await (const chunk of body) {
    let rest: Uint8Array = Buffer.from(chunk);
    while (size + rest.length >= PART) {
      const cut = PART - size;
      yield Buffer.concat([...held, rest.subarray(0, cut)], PART);
      count += 1;
      rest = rest.subarray(cut);
      held = [];
      size = 0;
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
  }
  if (size > 0 || count === 0) yield Buffer.concat(held, size);
}

type HeaderValues = Readonly<Record<string, string>>;

const start = async (request: S3Request, path: string, headers: HeaderValues): Promise<string> => {
  const response = await request(`${path}?uploads=`, { method: "POST", headers });
  const xml = await (await expectStatus(response, "begin an upload", 200)).text();
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(xml)?.[1];
  if (id === undefined) throw new Error("S3 began an upload without an id.");
  return `${path}?uploadId=${encodeURIComponent(id)}`;
};

const finish = async (request: S3Request, upload: string, tags: readonly string[]): Promise<void> => {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const response = await expectStatus(await request(upload, { method: "POST", body }), "complete an upload", 200);
  const xml = await response.text();
  // S3 reports errors while joining the parts with status 200.
  if (xml.includes("<Error>")) throw new Error(`S3 refused to complete an upload: ${xml.slice(0, 500)}`);
};

const putWhole = async (
  request: S3Request,
  path: string,
  body: Uint8Array<ArrayBuffer>,
  headers: HeaderValues,
): Promise<void> => {
  const response = await request(path, { method: "PUT", body, headers });
  await (await expectStatus(response, "store an object", 200)).body?.cancel();
};

/** Stores `body` at `path`; `headers` are those for downloads. If it fails, the parts already sent are deleted. */
const putInParts = async (request: S3Request, path: string, body: Readable, headers: HeaderValues): Promise<void> => {
  let upload: string | undefined;
  const tags: string[] = [];
  try {
    for await (const part of partsOf(body)) {
      if (upload === undefined && part.length < PART) return await putWhole(request, path, part, headers);
      upload ??= await start(request, path, headers);
      const response = await request(`${upload}&partNumber=${tags.length + 1}`, { method: "PUT", body: part });
      await expectStatus(response, "store a part", 200);
      await response.body?.cancel();
      tags.push(response.headers.get("etag") ?? "");
    }
    if (upload !== undefined) await finish(request, upload, tags);
  } catch (error) {
    // Nobody waits for it: a service that has just failed may be slow, too.
    if (upload !== undefined) request(upload, { method: "DELETE" }).catch(() => {});
    throw error;
  }
};

const infoOf = (headers: Headers): ObjectInfo => {
  // The time has no fractions of a second.
  const tag = headers.get("etag");
  return {
    size: Number(headers.get("content-length") ?? 0),
    modified: new Date(headers.get("last-modified") ?? 0),
    ...(tag === null ? {} : { tag: tag.replaceAll('"', "") }),
  };
};

/** The headers that the bucket serves an object with. */
const headersOf = ({ mime, attachment }: ObjectDetails): Record<string, string> => ({
  "content-type": mime,
  ...(attachment ? { "content-disposition": "attachment" } : {}),
});

/** The texts of all `<name>` elements. Keys and numbers contain nothing that XML escapes. */
const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);

async function* list(request: S3Request, prefix: string): AsyncIterable<StoredObject> {
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ "list-type": "2", prefix, ...(token ? { "continuation-token": token } : {}) });
    const response = await request(`?${query.toString()}`, { method: "GET" });
    const xml = await (await expectStatus(response, "list the bucket", 200)).text();
    for (const [entry] of xml.matchAll(/<Contents>.*?<\/Contents>/gs)) {
      const [key = "", size, modified] = ["Key", "Size", "LastModified"].map((name) => elements(entry, name)[0]);
      yield { key: key.slice(prefix.length), size: Number(size), modified: new Date(modified ?? 0) };
    }
    token = elements(xml, "NextContinuationToken")[0];
  } while (token);
}

/** Stores objects in a bucket. Large ones are sent in parts, one of which is in memory at a time. */
export const s3Storage = (settings: S3Settings): StorageProvider => {
  const request = createRequest(settings);
  const { prefix, publicUrl } = settings;
  return {
    name: "aws-s3",
    put: (key, body, details) => putInParts(request, prefix + key, body, headersOf(details)),
    async stat(key) {
      const response = await request(prefix + key, { method: "HEAD" });
      if (response.status === 404) return undefined;
      return infoOf((await expectStatus(response, "describe an object", 200)).headers);
    },
    async read(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined;
      const response = await request(prefix + key, { method: "GET", ...(headers ? { headers } : {}) });
      if (response.status === 404) return undefined;
      const { body } = await expectStatus(response, "read an object", 200, 206);
      return Readable.from(body ?? []);
    },
    async delete(key) {
      const response = await request(prefix + key, { method: "DELETE" });
      await (await expectStatus(response, "delete an object", 200, 204, 404)).body?.cancel();
    },
    url: (key) => (publicUrl ? `${publicUrl.replace(/\/$/, "")}/${prefix}${key}` : `/uploads/${key}`),
    list: () => list(request, prefix),
  };
};
