/** What a running server needs for files: where they are kept, and where they are taken in. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
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

/** Gives `work` a folder of its own, which is removed afterwards with all that is in it. */
export const inWorkspace = async <Result>(
  { workspace }: Media,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  await mkdir(workspace, { recursive: true });
  const folder = await mkdtemp(join(workspace, "upload-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
