/** Writes a stream to disk in constant memory, while checking its size and detecting its type. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { HttpError } from "../base/errors.ts";
import { OCTETS } from "./naming.ts";
import { HEAD, sniffType } from "./sniff.ts";

/** A file on disk that is not in the storage yet. */
export interface Spooled {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly type: string;
}

export interface SpoolOptions {
  /** The path to write to; must not exist. */
  readonly path: string;
  /** Most bytes. */
  readonly limit: number;
  /** The type from the request. */
  readonly declared: string | undefined;
  /** Called as soon as the type is known; throws to refuse the file before the rest is read. */
  accept(type: string): void;
}

/** The error for a file over the limit. */
export const fileTooBig = (): HttpError => new HttpError(413, "PayloadTooLargeError", "FileTooBig", null);

/**
 * Writes `source` to `path`.
 *
 * @throws HttpError 413 after more than `limit` bytes; errors of `accept` and of the source
 */
export const spool = async (source: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<Spooled> => {
  let size = 0;
  let type: string | undefined;
  const decide = async (head: Uint8Array): Promise<void> => {
    type = await sniffType(head, options.declared);
    options.accept(type);
  };
  const watch = async function* (chunks: AsyncIterable<Uint8Array>) {
    // The first bytes are held back until the type is known, so that nothing of a refused file is written.
    let held: Uint8Array[] = [];
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > options.limit) throw fileTooBig();
      if (type !== undefined) yield chunk;
      else {
        held.push(chunk);
        if (size < HEAD) continue;
        const head = Buffer.concat(held);
        held = [];
        await decide(head.subarray(0, HEAD));
        yield head;
      }
    }
    if (type !== undefined) return;
    const head = Buffer.concat(held);
    await decide(head);
    yield head;
  };
  await pipeline(source, watch, createWriteStream(options.path, { flags: "wx", mode: 0o600 }));
  return { path: options.path, size, type: type ?? OCTETS };
};
