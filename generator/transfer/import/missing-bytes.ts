/** Where the bytes come from that an archive does not have: a folder, or the server that has handed them out so far. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { StorageProvider } from "../../../runtime/base/storage.ts";
import { storeBytes } from "./import-files.ts";

/** True when the bytes are stored now. */
export type FetchObject = (key: string, url: string) => Promise<boolean>;

const isAddress = (text: string): boolean => /^https?:\/\//.test(text);

const fromFolder =
  (storage: StorageProvider, folder: string): FetchObject =>
  async (key) => {
    for (const file of [path.join(folder, key), path.join(folder, "uploads", key)]) {
      const info = await stat(file).catch(() => undefined);
      if (!info?.isFile()) continue;
      await storeBytes(storage, key, { size: info.size, body: Readable.from(createReadStream(file)) });
      return true;
    }
    return false;
  };

const fromServer =
  (storage: StorageProvider, server: string): FetchObject =>
  async (key, url) => {
    const response = await fetch(isAddress(url) ? url : new URL(url === "" ? `/uploads/${key}` : url, server)).catch(
      () => undefined,
    );
    if (!response?.ok) return false;
    const bytes = new Uint8Array(await response.arrayBuffer());
    await storeBytes(storage, key, { size: bytes.length, body: Readable.from([bytes]) });
    return true;
  };

/**
 * Fetches from what `--files` names: a folder such as `public/uploads`, or the address of a server.
 *
 * @param isDry nothing is stored, and nothing fetched
 */
export const createFetch = (storage: StorageProvider, from: string | undefined, isDry: boolean): FetchObject => {
  if (from === undefined || isDry) return () => Promise.resolve(false);
  return isAddress(from) ? fromServer(storage, from) : fromFolder(storage, from);
};
