/** Receives uploaded files into a folder, and checks size and type on the way. */
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { Media } from "./media.ts";
import { cleanName, extensionOf, hasExtension, OCTETS, typeOfName } from "./naming.ts";
import { essence } from "./sniff.ts";
import { spool, type Spooled } from "./spool.ts";
import { checkType, isActive } from "./type-rules.ts";

export interface MediaServices {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly media: Media;
}

export interface Incoming {
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
