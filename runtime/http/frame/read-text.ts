/** The text of an answer to a read, with its tag and compressed forms. */
import { hash } from "node:crypto";
import { type Coding, compress, LEAST_COMPRESSED } from "./compress.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** The ETag of a text. It is weak because the compressed forms of the text have the same tag. */
const tagOf = (text: string): string => `W/"${hash("sha1", text, "base64")}"`;

/** What identifies a version of an answer; enough for a 304. */
export interface Version {
  readonly tag: string;
  /** Whether the text is long enough to be compressed. */
  readonly isLong: boolean;
}

/** What a read is answered with: JSON text with its tag. */
export interface ReadAnswer extends Version {
  readonly body: string | Bytes;
  compressed(coding: Coding): Promise<Bytes>;
}

/** An answer that is sent once. */
export const readAnswer = (text: string): ReadAnswer => ({
  body: text,
  tag: tagOf(text),
  isLong: text.length >= LEAST_COMPRESSED,
  compressed: (coding) => compress(text, coding),
});

/** An answer that is sent many times: its compressed forms are kept with it. */
export class KeptAnswer implements ReadAnswer {
  readonly body: Bytes;
  readonly tag: string;
  readonly isLong: boolean;
  readonly #compressed = new Map<Coding, Promise<Bytes>>();
  /** Bytes of the text and of all forms kept with it. */
  size: number;

  readonly #grown: () => void;

  /** @param grown called when another form has been stored */
  constructor(text: string, grown: () => void) {
    this.#grown = grown;
    // A Buffer, which Node sends faster than other arrays, with memory of its own instead of a part of Node's pool.
    this.body = Buffer.from(new Uint8Array(Buffer.from(text)).buffer);
    this.tag = tagOf(text);
    this.isLong = text.length >= LEAST_COMPRESSED;
    this.size = this.body.length;
  }

  compressed(coding: Coding): Promise<Bytes> {
    const known = this.#compressed.get(coding);
    if (known) return known;
    const bytes = compress(this.body, coding);
    this.#compressed.set(coding, bytes);
    const keep = ({ length }: Bytes): void => {
      this.size += length;
      this.#grown();
    };
    bytes.then(keep, () => void this.#compressed.delete(coding));
    return bytes;
  }
}
