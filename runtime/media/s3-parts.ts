/** Stores objects of any size in S3. S3 needs the length of each request in advance, so a stream is sent in parts. */
import type { Readable } from "node:stream";
import { expectStatus, type S3Request } from "./s3-request.ts";

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

type Headers = Readonly<Record<string, string>>;

const start = async (request: S3Request, path: string, headers: Headers): Promise<string> => {
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
  headers: Headers,
): Promise<void> => {
  const response = await request(path, { method: "PUT", body, headers });
  await (await expectStatus(response, "store an object", 200)).body?.cancel();
};

/** Stores `body` at `path`; `headers` are those for downloads. If it fails, the parts already sent are deleted. */
export const putInParts = async (request: S3Request, path: string, body: Readable, headers: Headers): Promise<void> => {
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
