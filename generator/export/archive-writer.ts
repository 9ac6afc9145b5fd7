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

export interface ArchiveWriter {
  /** Adds a file from memory. */
  text(name: string, text: string): Promise<void>;
  /** Adds a file of `size` bytes. */
  stream(name: string, size: number, body: Readable): Promise<void>;
  /** Resolves when the archive is complete and at its final path. */
  finish(): Promise<void>;
  /** Cleans up after a failure. */
  discard(): Promise<void>;
}

export interface Writing {
  readonly location: string;
  /** Encrypts the archive. */
  readonly key: string | undefined;
  /** The timestamp of its entries: the same content gives the same bytes. */
  readonly modified: Date;
}

/** Starts an archive beside its final path. It holds private values, so only its owner may read it. */
export const createArchive = ({ location, key, modified }: Writing): ArchiveWriter => {
  // Another process may write to the same path: the last one to finish wins.
  const part = `${location}.${randomUUID()}.part`;
  const archive = pack();
  const steps = key === undefined ? [] : [cipherOf(key)];
  const written = pipeline([Readable.from(archive), createGzip(), ...steps, createWriteStream(part, { mode: 0o600 })]);
  // The next write, or the finish, reports the error.
  written.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  const header = (name: string, size: number) => ({ name, size, mtime: modified, mode: 0o644 });
  return {
    async text(name, text) {
      const bytes = Buffer.from(text);
      const entry = archive.entry(header(name, bytes.length));
      entry.end(bytes);
      await Promise.race([once(entry, "finish"), written]);
    },
    async stream(name, size, body) {
      await pipeline(body, archive.entry(header(name, size)));
    },
    async finish() {
      archive.finalize();
      await written;
      await rename(part, location);
    },
    async discard() {
      archive.destroy();
      await written.catch(() => {});
      await rm(part, { force: true });
    },
  };
};
