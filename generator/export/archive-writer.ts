/** Writes an archive as Strapi does: a tar, compressed, and encrypted if there is a key. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { cipherOf } from "../archive/cipher.ts";

export type ArchiveWriter = ReturnType<typeof createArchive>;

export interface Writing {
  readonly location: string;
  /** Encrypts the archive. */
  readonly key: string | undefined;
  /** The timestamp of its entries: the same content gives the same bytes. */
  readonly modified: Date;
}

/** Starts an archive beside its final path. It holds private values, so only its owner may read it. */
export const createArchive = ({ location, key, modified }: Writing) => {
  // Another process may write to the same path: the last one to finish wins.
  const part = `${location}.${randomUUID()}.part`;
  const archive = pack();
  const steps = key === undefined ? [] : [cipherOf(key)];
  const written = pipeline([Readable.from(archive), createGzip(), ...steps, createWriteStream(part, { mode: 0o600 })]);
  // The next write, or the finish, reports the error.
  written.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  const header = (name: string, size: number) => ({ name, size, mtime: modified, mode: 0o644 });
  return {
    /** Adds a file from memory. */
    async text(name: string, text: string): Promise<void> {
      const bytes = Buffer.from(text);
      const entry = archive.entry(header(name, bytes.length));
      entry.end(bytes);
      await Promise.race([once(entry, "finish"), written]);
    },
    /** Adds a file of `size` bytes. */
    async stream(name: string, size: number, body: Readable): Promise<void> {
      await pipeline(body, archive.entry(header(name, size)));
    },
    /** Resolves when the archive is complete and at its final path. */
    async finish(): Promise<void> {
      archive.finalize();
      await written;
      await rename(part, location);
    },
    /** Cleans up after a failure. */
    async discard(): Promise<void> {
      archive.destroy();
      await written.catch(() => {});
      await rm(part, { force: true });
    },
  };
};
