/** Receives files: writes them to disk in constant memory, while checking their size and detecting their type. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { HttpError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Database, Session } from "../database/database.ts";
import type { Recorder } from "../documents/recorders.ts";
import {
  OCTETS,
  HEAD,
  sniffType,
  cleanName,
  extensionOf,
  hasExtension,
  typeOfName,
  essence,
  checkType,
  isActive,
} from "./file-types.ts";
import type { Media } from "./media.ts";

/** A file on disk that is not in the storage yet. */
interface Spooled {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly type: string;
}

interface SpoolOptions {
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
const fileTooBig = (): HttpError => new HttpError(413, "PayloadTooLargeError", "FileTooBig", null);

/**
 * Writes `source` to `path`.
 *
 * @throws HttpError 413 after more than `limit` bytes; errors of `accept` and of the source
 */
const spool = async (source: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<Spooled> => {
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

/** What an optional part of the server does with a new file. */
export interface FilePlacing {
  /** Puts it into a folder, in the transaction that stores it. */
  place?(session: Session, file: number, folder: unknown): Promise<void>;
}

export interface MediaServices {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly media: Media;
  /** Records changes to files; none unless the project asks for records. */
  readonly recorders?: readonly Recorder[];
  readonly features?: readonly FilePlacing[];
}

interface Incoming {
  readonly name: string;
  /** The media type from the request. */
  readonly type: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that was received and checked, and is on disk, but not in the storage yet. */
export interface Received extends Spooled {
  readonly name: string;
  readonly ext: string | null;
}

/**
 * The declared type of a file. Senders that do not know it say "octet-stream"; then the name tells more. A sender who
 * declares a page or script is not believed if the name says otherwise.
 */
const declaredType = (name: string, type: string | undefined): string => {
  const claim = essence(type);
  const named = typeOfName(name);
  const isDisguised = isActive(claim) && !isActive(named) && hasExtension(name);
  return claim === OCTETS || isDisguised ? named : claim;
};

/**
 * Receives a file into `path`.
 *
 * @throws HttpError 413 when it is larger than `media.sizeLimit`; ValidationError when its type is not allowed
 */
export const receive = async (
  { config }: Pick<MediaServices, "config">,
  file: Incoming,
  path: string,
): Promise<Received> => {
  const name = cleanName(file.name) || "file";
  const { sizeLimit: limit, types } = config.media;
  const accept = (type: string): void => checkType(types, { name, type, ext: extensionOf(name, type) });
  const spooled = await spool(file.content, { path, limit, declared: declaredType(name, file.type), accept });
  return { ...spooled, name, ext: extensionOf(name, spooled.type) };
};
