/** Takes in a stream of bytes: onto the disk, in constant memory, with its size watched and its type found out. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { HttpError } from "../base/errors.ts";
import { OCTETS } from "./naming.ts";
import { HEAD, sniffType } from "./sniff.ts";

/** A file that was taken in and waits to be stored. */
export interface Spooled {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly type: string;
}

export interface SpoolOptions {
  /** Where to write; must not exist. */
  readonly path: string;
  /** Most bytes. */
  readonly limit: number;
  /** The type that the sender gave. */
  readonly declared: string | undefined;
  /** Looks at the type as soon as it is known; throws to refuse the file before the rest is taken in. */
  accept(type: string): void;
}

/** The answer to a file over the limit. */
export const fileTooBig = (): HttpError => new HttpError(413, "PayloadTooLargeError", "FileTooBig", null);

/**
 * Writes `source` to `path`.
 *
 * @throws HttpError 413 once more than `limit` bytes came; what `accept` throws; what the source fails with
 */
export const spool = async (source: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<Spooled> => {
  let size = 0;
  let type: string | undefined;
  const decide = async (head: Uint8Array): Promise<void> => {
    type = await sniffType(head, options.declared);
    options.accept(type);
  };
  const watch = async function* (chunks: AsyncIterable<Uint8Array>) {
    // The head is held back until its type is known, so that nothing of a refused file is written.
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
