/** What reads are answered with: the text, and what is made of it. */
import { hash } from "node:crypto";
import { type Coding, compress, LEAST_COMPRESSED } from "./compress.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Weak, because the same tag stands on the text and on its compressed forms. */
const tagOf = (text: string): string => `W/"${hash("sha1", text, "base64")}"`;

/** What a read is answered with: JSON text with its tag. */
export interface ReadAnswer {
  readonly body: string | Bytes;
  readonly tag: string;
  /** Whether it is long enough to be compressed. */
  readonly isLong: boolean;
  compressed(coding: Coding): Promise<Bytes>;
}

/** An answer that is sent once. */
export const readAnswer = (text: string): ReadAnswer => ({
  body: text,
  tag: tagOf(text),
  isLong: text.length >= LEAST_COMPRESSED,
  compressed: (coding) => compress(text, coding),
});

/** An answer that is sent again and again: what is made of it is kept with it. */
export class KeptAnswer implements ReadAnswer {
  readonly body: Bytes;
  readonly tag: string;
  readonly isLong: boolean;
  readonly #compressed = new Map<Coding, Promise<Bytes>>();
  /** The bytes of all that is kept. */
  size: number;

  readonly #grown: () => void;

  /** @param grown is called when more is kept with it */
  constructor(text: string, grown: () => void) {
    this.#grown = grown;
    this.body = new Uint8Array(Buffer.from(text));
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
