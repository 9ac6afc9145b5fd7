/**
 * The entries of an export: of a tar archive, compressed and encrypted as its bytes tell, or of a folder with the same
 * tree.
 */
import { createReadStream } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { decipherOf } from "../../archive/cipher.ts";

export interface ArchiveEntry {
  /** Its path in the archive, such as `entities/entities_00001.jsonl`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Must be read to its end before the next entry arrives. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The offset of the magic bytes of a tar archive. */
const MAGIC_AT = 257;
const MAGIC = "ustar";

/** The first 512 bytes, or fewer. */
export const startOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const isGzip = (start: Buffer): boolean => start[0] === 0x1f && start[1] === 0x8b;
const isTar = (start: Buffer): boolean => start.toString("latin1", MAGIC_AT, MAGIC_AT + MAGIC.length) === MAGIC;

/** The decrypted start of an encrypted file, without its last block. */
const decipherStart = (start: Buffer, key: string): Buffer => decipherOf(key).update(start);

const wrongKey = (file: string): SetupError =>
  new SetupError(
    `${file} is neither a tar archive nor packed, so that it seems to be encrypted, and --key is not its key.`,
  );

/** The transforms that turn the bytes of the file into a tar archive. */
const unpackers = async (file: string, key: string | undefined): Promise<Transform[]> => {
  const start = await startOf(file);
  if (isTar(start)) return [];
  if (isGzip(start)) return [createGunzip()];
  if (key === undefined) {
    throw new SetupError(
      `${file} is neither a tar archive nor packed. If it is an encrypted export, name its key: --key KEY.`,
    );
  }
  const plain = decipherStart(start, key);
  if (isGzip(plain)) return [decipherOf(key), createGunzip()];
  if (isTar(plain)) return [decipherOf(key)];
  throw wrongKey(file);
};

const cutOff = (file: string, failure: unknown): SetupError => {
  const reason = failure instanceof Error ? failure.message : String(failure);
  return new SetupError(`${file} cannot be read to its end: ${reason}. Is it whole?`, { cause: failure });
};

/** The library does not type its stream elements. */
async function* bytesOf(file: string, source: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of source) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw cutOff(file, error);
  }
}

async function* tarEntries(file: string, key: string | undefined): AsyncIterable<ArchiveEntry> {
  const steps = await unpackers(file, key);
  const entries = extract();
  let failure: unknown;
  const flow = pipeline([createReadStream(file), ...steps, entries]).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const entry of entries) {
      const { name, size, type } = entry.header;
      if (type === "file") yield { name: name.replace(/^\.\//, ""), size, body: bytesOf(file, entry) };
      else entry.resume();
    }
  } catch (error) {
    failure ??= error;
  }
  if (failure === undefined) await flow;
  if (failure !== undefined) throw cutOff(file, failure);
}

/** The order in archives: entries that others refer to come first. */
const FOLDERS = ["schemas", "entities", "assets/metadata", "assets/uploads", "links", "configuration"];

/** @throws SetupError if a symbolic link leads out of the export: its target would be imported, and served */
const checkInside = async (root: string, location: string): Promise<void> => {
  const [outer, inner] = await Promise.all([root, location].map((each) => realpath(each).catch(() => undefined)));
  if (outer === undefined || inner === undefined || inner.startsWith(outer + path.sep)) return;
  throw new SetupError(`${location} is a link to ${inner}, out of the export.`);
};

const filesIn = async (root: string, name: string): Promise<readonly string[]> => {
  const folder = path.join(root, name);
  await checkInside(root, folder);
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted();
  } catch {
    return [];
  }
};

async function* folderEntries(root: string): AsyncIterable<ArchiveEntry> {
  const names: string[] = [];
  for (const folder of FOLDERS) {
    for (const name of await filesIn(root, folder)) names.push(`${folder}/${name}`);
  }
  for (const name of [...names, "metadata.json"]) {
    const file = path.join(root, name);
    await checkInside(root, file);
    yield { name, size: (await lstat(file)).size, body: Readable.from(createReadStream(file)) };
  }
}

/** Drains an entry that nobody wants. */
export const skipBody = async ({ body }: Pick<ArchiveEntry, "body">): Promise<void> => {
  const bytes = body[Symbol.asyncIterator]();
  while (!(await bytes.next()).done);
};

/**
 * Reads the export at `location`, entry by entry.
 *
 * @param location a file, or the folder that `strapi export --format dir` writes
 * @throws SetupError if it is unreadable or truncated, or `key` is wrong
 */
export const readEntries = async (location: string, key: string | undefined): Promise<AsyncIterable<ArchiveEntry>> => {
  const info = await stat(location).catch(() => undefined);
  if (info === undefined) throw new SetupError(`${location} is not there.`);
  return info.isDirectory() ? folderEntries(location) : tarEntries(location, key);
};
