/** The storage interface, for the local disk, S3, and a project's own providers. */
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
   * A text that changes whenever the content does, if the storage has one: it tells clients that a file was replaced.
   * Without it, size and modification time tell them.
   */
  readonly tag?: string;
}

/** One of the objects that a storage contains. */
export interface StoredObject extends ObjectInfo {
  readonly key: string;
}

/** Information about an object to be stored. */
export interface ObjectDetails {
  /** In bytes; equals the length of the stream. */
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
   * Stores the whole stream under `key`, replacing an existing object. Until it resolves, reading `key` returns the old
   * object or none. If it rejects, nothing of the stream may remain.
   */
  put(key: string, body: Readable, details: ObjectDetails): Promise<void>;
  /** Size and age; undefined when there is no such object. */
  stat(key: string): Promise<ObjectInfo | undefined>;
  /** The bytes, or those of the range only; undefined when there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes the object. It is not an error if it does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes what interrupted uploads have left behind, if their last progress was before this time. */
  sweep?(before: Date): Promise<void>;
  /** The address for clients: absolute, or `/uploads/<key>` if this server serves the object. */
  url(key: string): string;
  /** All objects, including leftovers of interrupted uploads; for `cms media check`. */
  list(): AsyncIterable<StoredObject>;
}

const KEY = /^\w[\w.-]{0,254}$/;

/** Whether a text is a valid key. `checkedStorage` passes no other text to a provider. */
export const isKey = (text: string): boolean => KEY.test(text);
