/** Where the bytes of files are kept: one interface for the local disk, S3 and providers of the user's own. */
import type { Readable } from "node:stream";

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What is known of a stored object without reading it. */
export interface ObjectInfo {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
}

/** One of the objects that a storage lists. */
export interface StoredObject extends ObjectInfo {
  readonly key: string;
}

/** What a provider learns of an object that it is given. */
export interface ObjectDetails {
  /** In bytes: as many as the stream holds. */
  readonly size: number;
  readonly mime: string;
  /**
   * Whether it is to be handed out as an attachment (`Content-Disposition`), where clients reach it without this server:
   * a browser that is sent there shows nothing that might run. Images in pages show all the same.
   */
  readonly attachment: boolean;
}

/**
 * Keeps objects by key. A key is a single file name of ASCII letters, digits, `_`, `-` and `.`, such as
 * `photo_1a2b3c4d5e.jpg`; it never begins with a dot.
 */
export interface StorageProvider {
  /** What files that are kept here carry as `provider`. */
  readonly name: string;
  /**
   * Stores the whole stream under `key`, in place of what was there. Until it resolves, `key` shows either what was
   * there before or nothing; when it rejects, nothing of the stream may stay.
   */
  put(key: string, body: Readable, details: ObjectDetails): Promise<void>;
  /** Size and age; undefined when there is no such object. */
  stat(key: string): Promise<ObjectInfo | undefined>;
  /** The bytes, or those of the range only; undefined when there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes the object. That it is not there is no error. */
  delete(key: string): Promise<void>;
  /** Removes what objects have left behind whose storing was cut off, and went on last before then. */
  sweep?(before: Date): Promise<void>;
  /** The address that clients get: absolute, or `/uploads/<key>` for what this server hands out itself. */
  url(key: string): string;
  /** Every object, also what was left of stores that were cut off; for `cms media check`. */
  list(): AsyncIterable<StoredObject>;
}

const KEY = /^\w[\w.-]{0,254}$/;

/** Whether a text can be a key. What fails this never reaches a provider. */
export const isKey = (text: string): boolean => KEY.test(text);
