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

/** A copy in memory of its own. Small Buffers are parts of Node's pool, and the compressors' are parts of larger ones. */
const ownBytes = (bytes: Uint8Array): Bytes => Buffer.from(new Uint8Array(bytes).buffer);

/** Bytes that an answer, or one of its compressed forms, takes beside its content: objects, tag, promises. */
const REST = { answer: 800, form: 400 };

/** An answer that is sent many times: its compressed forms are kept with it. */
export class KeptAnswer implements ReadAnswer {
  readonly body: Bytes;
  readonly tag: string;
  readonly isLong: boolean;
  #compressed: Map<Coding, Promise<Bytes>> | undefined;
  /** Bytes of memory that it takes with all forms that are kept with it. */
  size: number;

  readonly #grown: () => void;

  /** @param grown called when another form has been stored */
  constructor(text: string, grown: () => void) {
    this.#grown = grown;
    // A Buffer, which Node sends faster than other arrays.
    this.body = ownBytes(Buffer.from(text));
    this.tag = tagOf(text);
    this.isLong = text.length >= LEAST_COMPRESSED;
    this.size = this.body.length + REST.answer;
  }

  compressed(coding: Coding): Promise<Bytes> {
    const forms = (this.#compressed ??= new Map());
    const known = forms.get(coding);
    if (known) return known;
    const bytes = compress(this.body, coding).then(ownBytes);
    forms.set(coding, bytes);
    const keep = ({ length }: Bytes): void => {
      this.size += length + REST.form;
      this.#grown();
    };
    bytes.then(keep, () => void forms.delete(coding));
    return bytes;
  }
}
