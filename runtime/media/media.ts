import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
/** The media services of a running server: the storage, and the workspace for uploads. */
import { HttpError, ServiceUnavailableError, ValidationError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { isKey, type StorageProvider } from "../base/storage.ts";
import type { Config } from "../config/config.ts";
import { localStorage } from "./local-storage.ts";
import { s3Storage } from "./s3-storage.ts";

const plain = (key: string): string => {
  if (isKey(key)) return key;
  throw new ValidationError(`${JSON.stringify(key)} is not a name that a file can be stored under`);
};

/** The error for a storage or file system failure, which may be temporary. */
const storageFailure = (error: unknown): HttpError =>
  error instanceof HttpError
    ? error
    : Object.assign(new ServiceUnavailableError("The storage of files is not available"), { cause: error });

/** Runs `work`, and throws what `failure` makes of its error. */
const failingAs =
  (failure: (error: unknown) => unknown) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failure(error);
    }
  };

const available = failingAs(storageFailure);

/**
 * Wraps a provider so that no key leads out of its folder or bucket, wherever the key comes from: rows may have been
 * imported, or written by SQL. An invalid key names no object, and storing under one is an error.
 */
const checkedStorage = (provider: StorageProvider): StorageProvider => ({
  name: provider.name,
  put: (key, body, details) => available(async () => provider.put(plain(key), body, details)),
  stat: (key) => available(async () => (isKey(key) ? provider.stat(key) : undefined)),
  read: (key, range) => available(async () => (isKey(key) ? provider.read(key, range) : undefined)),
  delete: (key) => available(async () => (isKey(key) ? provider.delete(key) : undefined)),
  url: (key) => provider.url(plain(key)),
  list: () => provider.list(),
  sweep: async (before) => provider.sweep?.(before),
});

export interface Media {
  readonly storage: StorageProvider;
  /** The folder for files during an upload; created when it is first needed. */
  readonly workspace: string;
}

const createStorage = ({ media }: Config, root: string): StorageProvider => {
  if (typeof media.provider === "object") return media.provider;
  if (media.provider === "s3" && media.s3) return s3Storage(media.s3);
  return localStorage(resolve(root, media.directory));
};

/**
 * Creates the storage that the configuration names. Opens and writes nothing yet.
 *
 * @param root the project's folder
 */
export const createMedia = (config: Config, root: string): Media => ({
  storage: checkedStorage(createStorage(config, root)),
  workspace: resolve(root, ".cms", "tmp"),
});

const MINUTE = 60_000;

/**
 * Milliseconds between updates of a workspace folder's time, which shows that its process is alive, however slow the
 * upload.
 */
const BEAT = MINUTE;

/** Milliseconds without an update after which the folder's process counts as dead. */
const ABANDONED = 10 * MINUTE;

/** Turns file system failures, such as a full disk, into storage failures. */
const onDisk = failingAs((error) => (error instanceof Error && "syscall" in error ? storageFailure(error) : error));

/** Runs `work` with a folder of its own, which is deleted afterwards. */
export const inWorkspace = async <Result>(
  { workspace }: Pick<Media, "workspace">,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = await onDisk(async () => {
    await mkdir(workspace, { recursive: true, mode: 0o700 });
    return mkdtemp(join(workspace, "upload-"));
  });
  const touch = (): void => void utimes(folder, new Date(), new Date()).catch(() => {});
  const beat = setInterval(touch, BEAT).unref();
  try {
    return await onDisk(() => work(folder));
  } finally {
    clearInterval(beat);
    await rm(folder, { recursive: true, force: true });
  }
};

/** The folders of uploads whose last progress was before this time. */
export const foldersBefore = async (before: Date, workspace: string): Promise<string[]> => {
  const old: string[] = [];
  for (const name of await readdir(workspace).catch(() => [])) {
    const folder = join(workspace, name);
    const info = await stat(folder).catch(() => undefined);
    if (info && info.mtime < before) old.push(folder);
  }
  return old;
};

/** Deletes what processes left behind that died during an upload. */
export const sweepAbandoned = async ({ workspace, storage }: Media): Promise<void> => {
  const before = new Date(Date.now() - ABANDONED);
  await storage.sweep?.(before);
  for (const folder of await foldersBefore(before, workspace)) await rm(folder, { recursive: true, force: true });
};

/**
 * Deletes leftovers now and at regular times, until the returned function is called.
 *
 * @param media called each time, since it changes with the configuration
 */
export const sweepOnSchedule = (media: () => Media, log: Logger): (() => void) => {
  const sweep = (): void => {
    sweepAbandoned(media()).catch((error: unknown) => {
      log.warn({ err: error }, "could not remove the leftovers of interrupted uploads");
    });
  };
  sweep();
  const timer = setInterval(sweep, ABANDONED).unref();
  return () => clearInterval(timer);
};
