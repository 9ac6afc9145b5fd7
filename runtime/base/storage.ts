/** Where files are stored: one interface for the local disk, S3, and providers of the user's own. */
import type { Readable } from "node:stream";

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Information about a stored object. */
export interface ObjectInfo {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /**
   * A text that is another one when the content is, if the storage has one: clients are told by it that a file was
   * replaced. Without it, size and time of the change tell them.
   */
  readonly tag?: string;
}

/** One of the objects that a storage lists. */
export interface StoredObject extends ObjectInfo {
  readonly key: string;
}

/** Information about an object that is to be stored. */
export interface ObjectDetails {
  /** In bytes: as many as the stream holds. */
  readonly size: number;
  readonly mime: string;
  /**
   * Whether clients that fetch the object without this server should get it as an attachment (`Content-Disposition`),
   * so that browsers do not display content that might contain code. Images embedded in pages are still displayed.
   */
  readonly attachment: boolean;
}

/**
 * Stores objects by key. A key is a file name of ASCII letters, digits, `_`, `-` and `.`, such as
 * `photo_1a2b3c4d5e.jpg`; it never begins with a dot.
 */
export interface StorageProvider {
  /** The value of `provider` for files that are stored here. */
  readonly name: string;
  /**
   * Stores the whole stream under `key`, replacing an existing object. Until it resolves, reading `key` gives the old
   * object or none. When it rejects, nothing of the stream may remain.
   */
  put(key: string, body: Readable, details: ObjectDetails): Promise<void>;
  /** Size and age; undefined when there is no such object. */
  stat(key: string): Promise<ObjectInfo | undefined>;
  /** The bytes, or those of the range only; undefined when there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes the object. It is not an error if it does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes what interrupted uploads have left behind, if they made their last progress before this time. */
  sweep?(before: Date): Promise<void>;
  /** The address for clients: absolute, or `/uploads/<key>` if this server serves the object. */
  url(key: string): string;
  /** All objects, including leftovers of interrupted uploads; for `cms media check`. */
  list(): AsyncIterable<StoredObject>;
}

const KEY = /^\w[\w.-]{0,254}$/;

/** Whether a text is a valid key. `checkedStorage` passes no other text to a provider. */
export const isKey = (text: string): boolean => KEY.test(text);
