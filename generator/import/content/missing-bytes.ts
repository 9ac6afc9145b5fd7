/** Gets bytes that an archive lacks: from a folder, or from the server that has served them so far. */
import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { StorageProvider } from "../../../runtime/base/storage.ts";
import { typeOfName } from "../../../runtime/media/file-types.ts";
import { storeBytes } from "./import-files.ts";
import { isPublicHost } from "./public-address.ts";

/** True if the bytes are stored now. */
export type FetchObject = (key: string, url: string) => Promise<boolean>;

const isAddress = (text: string): boolean => /^https?:\/\//.test(text);

const fromFolder =
  (storage: StorageProvider, folder: string): FetchObject =>
  async (key) => {
    for (const file of [path.join(folder, key), path.join(folder, "uploads", key)]) {
      const info = await lstat(file).catch(() => undefined);
      if (!info?.isFile()) continue;
      await storeBytes(storage, key, { size: info.size, body: Readable.from(createReadStream(file)) });
      return true;
    }
    return false;
  };

/** The timeout for a server that sends nothing. */
const STALL_MS = 30_000;

const addressOf = (url: string, key: string, server: string): URL | undefined => {
  const place = url === "" ? `/uploads/${key}` : url;
  return URL.canParse(place, server) ? new URL(place, server) : undefined;
};

/** A page instead of a file is a login form or an error page. */
const isOtherPage = (response: Response, key: string): boolean =>
  /^text\/html\b/.test(response.headers.get("content-type") ?? "") && typeOfName(key) !== "text/html";

const REDIRECTS = 5;

/**
 * Requests the address and follows redirects. Addresses come from the archive: only the server that the user named may
 * be in a private network, so nothing of this machine or network leaks into the storage.
 */
const request = async (address: URL, server: string, signal: AbortSignal): Promise<Response | undefined> => {
  for (let [url, left] = [address, REDIRECTS]; left >= 0; left--) {
    if (url.origin !== new URL(server).origin && !(await isPublicHost(url))) return undefined;
    // The length of a compressed response would not be the file's.
    const response = await fetch(url, { signal, redirect: "manual", headers: { "Accept-Encoding": "identity" } });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, url)) return undefined;
    url = new URL(location, url);
  }
  return undefined;
};

/** The response, its body, which fails if the server stalls, and whether the server itself has failed. */
const download = async (address: URL, server: string) => {
  const stalled = new AbortController();
  // It must not keep the process alive: nobody clears the timer of an unread response.
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
    const response = await request(address, server, stalled.signal);
    if (response) return { response, body: chunks(response), hasFailed: () => failed };
  } catch {
    // Whatever a server or network does, the bytes are missing.
  }
  clearTimeout(timer);
  return undefined;
};

const lengthOf = ({ headers }: Response): number | undefined => {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? undefined : Number(length);
};

/** The maximum bytes of a file of unknown length, as it must fit in memory. */
const LONGEST_UNKNOWN = 200_000_000;

type Download = NonNullable<Awaited<ReturnType<typeof download>>>;

/** False if the file is too long. */
const store = async (storage: StorageProvider, key: string, { response, body }: Download): Promise<boolean> => {
  const length = lengthOf(response);
  if (length !== undefined) {
    await storeBytes(storage, key, { size: length, body });
    return true;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LONGEST_UNKNOWN) return false;
    chunks.push(chunk);
  }
  await storeBytes(storage, key, { size, body: Readable.from(chunks) });
  return true;
};

const fromServer =
  (storage: StorageProvider, server: string): FetchObject =>
  async (key, url) => {
    const address = addressOf(url, key, server);
    const found = address && (await download(address, server));
    if (found === undefined) return false;
    if (!found.response.ok || isOtherPage(found.response, key)) {
      await found.response.body?.cancel();
      return false;
    }
    try {
      return await store(storage, key, found);
    } catch (error) {
      if (found.hasFailed()) return false;
      throw error;
    }
  };

/**
 * Fetches from the source that `--files` names: a folder such as `public/uploads`, or a server's address.
 *
 * @param isDry neither stores nor fetches anything
 */
export const createFetch = (storage: StorageProvider, from: string | undefined, isDry: boolean): FetchObject => {
  if (from === undefined || isDry) return () => Promise.resolve(false);
  return isAddress(from) ? fromServer(storage, from) : fromFolder(storage, from);
};
