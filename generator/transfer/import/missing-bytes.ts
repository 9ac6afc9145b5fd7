/** Where the bytes come from that an archive does not have: a folder, or the server that has handed them out so far. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { StorageProvider } from "../../../runtime/base/storage.ts";
import { typeOfName } from "../../../runtime/media/naming.ts";
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

/** How long a server may send nothing. */
const STALL_MS = 30_000;

const addressOf = (url: string, key: string, server: string): URL | undefined => {
  const place = url === "" ? `/uploads/${key}` : url;
  return URL.canParse(place, server) ? new URL(place, server) : undefined;
};

/** A page where a file should be asks for a login, or says that there is nothing. */
const isOtherPage = (response: Response, key: string): boolean =>
  /^text\/html\b/.test(response.headers.get("content-type") ?? "") && typeOfName(key) !== "text/html";

interface Download {
  readonly response: Response;
  /** Fails when the server stops sending. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the server is what failed. */
  readonly hasFailed: () => boolean;
}

const download = async (address: URL): Promise<Download | undefined> => {
  const stalled = new AbortController();
  // It keeps nothing from ending: an answer that nobody reads has none to clear it.
  const timer = setTimeout(() => stalled.abort(), STALL_MS).unref();
  let failed = false;
  async function* chunks(response: Response): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        yield chunk;
      }
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
  try {
    // The length of what is packed on the way would not be that of the file.
    const response = await fetch(address, { signal: stalled.signal, headers: { "Accept-Encoding": "identity" } });
    return { response, body: chunks(response), hasFailed: () => failed };
  } catch {
    clearTimeout(timer);
    return undefined;
  }
};

const lengthOf = ({ headers }: Response): number | undefined => {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? undefined : Number(length);
};

const store = async (storage: StorageProvider, key: string, { response, body }: Download): Promise<void> => {
  const length = lengthOf(response);
  if (length !== undefined) return storeBytes(storage, key, { size: length, body });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return storeBytes(storage, key, { size: bytes.length, body: Readable.from([bytes]) });
};

const fromServer =
  (storage: StorageProvider, server: string): FetchObject =>
  async (key, url) => {
    const address = addressOf(url, key, server);
    const found = address && (await download(address));
    if (found === undefined) return false;
    if (!found.response.ok || isOtherPage(found.response, key)) {
      await found.response.body?.cancel();
      return false;
    }
    try {
      await store(storage, key, found);
      return true;
    } catch (error) {
      if (found.hasFailed()) return false;
      throw error;
    }
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
