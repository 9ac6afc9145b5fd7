/** What a running server needs for files: where they are kept, and where they are taken in. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "../base/log.ts";
import type { StorageProvider } from "../base/storage.ts";
import type { Config } from "../config/config.ts";
import { localStorage } from "./local-storage.ts";
import { s3Storage } from "./s3-storage.ts";

export interface Media {
  readonly storage: StorageProvider;
  /** The folder of files that are being taken in; made when the first one comes. */
  readonly workspace: string;
}

const createStorage = ({ media }: Config, root: string): StorageProvider => {
  if (typeof media.provider === "object") return media.provider;
  if (media.provider === "s3" && media.s3) return s3Storage(media.s3);
  return localStorage(resolve(root, media.directory));
};

/**
 * Sets up the storage that the configuration names. Nothing is opened or written yet.
 *
 * @param root the project's folder
 */
export const createMedia = (config: Config, root: string): Media => ({
  storage: createStorage(config, root),
  workspace: resolve(root, ".cms", "tmp"),
});

const MINUTE = 60_000;

/** Folders of living processes are touched this often, however slowly a file comes in. */
const BEAT = MINUTE;

/** What nobody has touched for this long belongs to a process that was killed. */
const ABANDONED = 10 * MINUTE;

/** Gives `work` a folder of its own, which is removed afterwards with all that is in it. */
export const inWorkspace = async <Result>(
  { workspace }: Pick<Media, "workspace">,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  await mkdir(workspace, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workspace, "upload-"));
  const touch = (): void => void utimes(folder, new Date(), new Date()).catch(() => {});
  const beat = setInterval(touch, BEAT).unref();
  try {
    return await work(folder);
  } finally {
    clearInterval(beat);
    await rm(folder, { recursive: true, force: true });
  }
};

/** Removes what processes have left behind that were killed while they took in or stored a file. */
export const sweepAbandoned = async ({ workspace, storage }: Media): Promise<void> => {
  const before = new Date(Date.now() - ABANDONED);
  await storage.sweep?.(before);
  const names = await readdir(workspace).catch(() => []);
  for (const name of names.filter((each) => each.startsWith("upload-"))) {
    const folder = join(workspace, name);
    const info = await stat(folder).catch(() => undefined);
    if (info && info.mtime < before) await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Sweeps now, and again and again until the function is called that it returns.
 *
 * @param media asked anew each time, since it changes with the configuration
 */
export const sweepOnSchedule = (media: () => Media, log: Logger): (() => void) => {
  const sweep = (): void => {
    sweepAbandoned(media()).catch((error: unknown) => {
      log.warn({ err: error }, "what cut off uploads have left behind could not be removed");
    });
  };
  sweep();
  const timer = setInterval(sweep, ABANDONED).unref();
  return () => clearInterval(timer);
};
