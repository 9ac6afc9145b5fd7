/** Stores files in a local folder. */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, opendir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ByteRange, isKey, type ObjectInfo, type StorageProvider, type StoredObject } from "../base/storage.ts";
import { hasCode } from "../base/thrown.ts";

/** The suffix of files that are being written. */
const PART = ".part";

/** Symbolic links are not followed: they may lead out of the folder. */
const infoOf = async (path: string): Promise<ObjectInfo | undefined> => {
  try {
    const info = await lstat(path);
    return info.isFile() ? { size: info.size, modified: info.mtime } : undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
};

const put = async (folder: string, key: string, body: Readable): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const part = join(folder, `.${key.slice(0, 200)}.${randomBytes(6).toString("hex")}${PART}`);
  try {
    // Flushed to the disk before it gets its final name, so that the file survives a power failure.
    await pipeline(body, createWriteStream(part, { flags: "wx", flush: true }));
    await rename(part, join(folder, key));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};

const read = async (path: string, range: ByteRange | undefined): Promise<Readable | undefined> =>
  (await infoOf(path)) === undefined ? undefined : createReadStream(path, { ...range });

async function* list(folder: string): AsyncIterable<StoredObject> {
  let entries;
  try {
    entries = await opendir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  for await (const { name } of entries) {
    // Files such as .gitkeep are not ours, except unfinished ones.
    if (!isKey(name) && !name.endsWith(PART)) continue;
    const info = await infoOf(join(folder, name));
    if (info) yield { key: name, ...info };
  }
}

/** Deletes unfinished files that have not grown since `before`: their process has ended. */
const sweep = async (folder: string, before: Date): Promise<void> => {
  for await (const { key, modified } of list(folder)) {
    if (key.endsWith(PART) && modified < before) await rm(join(folder, key), { force: true });
  }
};

/**
 * Stores objects as files in `folder`, which is created with the first one.
 *
 * @param folder an absolute path
 */
export const localStorage = (folder: string): StorageProvider => ({
  name: "local",
  put: (key, body) => put(folder, key, body),
  stat: (key) => infoOf(join(folder, key)),
  read: (key, range) => read(join(folder, key), range),
  delete: (key) => rm(join(folder, key), { force: true }),
  url: (key) => `/uploads/${key}`,
  list: () => list(folder),
  sweep: (before) => sweep(folder, before),
});
