/** Stores files in a bucket of Amazon S3 or a compatible service. */
import { Readable } from "node:stream";
import type { ObjectDetails, ObjectInfo, StorageProvider, StoredObject } from "../base/storage.ts";
import { putInParts } from "./s3-parts.ts";
import { createRequest, expectStatus, type S3Request, type S3Settings } from "./s3-request.ts";

const infoOf = (headers: Headers): ObjectInfo => {
  // The time has no fractions of a second.
  const tag = headers.get("etag");
  return {
    size: Number(headers.get("content-length") ?? 0),
    modified: new Date(headers.get("last-modified") ?? 0),
    ...(tag === null ? {} : { tag: tag.replaceAll('"', "") }),
  };
};

/** The headers with which the bucket serves an object. */
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
