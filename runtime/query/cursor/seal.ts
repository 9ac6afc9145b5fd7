/**
 * Encrypts cursors. They hold values of documents, some of which hooks may have hidden from the client, and clients
 * send them back. So clients cannot read them, and modified ones are refused.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** The first byte: the format version. A new format gets a new number, so that old cursors are recognizable. */
const VERSION = 1;
const CIPHER = "aes-256-ctr";
const HEAD_BYTES = 9;
const IV_BYTES = 16;
/** Texts are padded to a multiple of this, so that the length of a cursor reveals little about its values. */
const BLOCK = 32;

const key = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `galley cursor ${purpose}`, 32));

const padded = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK, " ")]);
};

/** The content of a sealed text; `foreign` if it was sealed for another list; undefined if we did not seal it. */
export type Opened = { readonly text: string } | "foreign" | undefined;

export class Seal {
  readonly #encryption: Buffer;
  readonly #authentication: Buffer;

  constructor(secret: string) {
    this.#encryption = key(secret, "encryption");
    this.#authentication = key(secret, "authentication");
  }

  /**
   * Seals a text for one list. The same text always gives the same result, so that equal requests get equal responses:
   * the initialization vector is derived from the text, as in SIV mode.
   */
  seal(list: string, text: string): string {
    const bytes = padded(text);
    const head = this.#head(list);
    const iv = this.#sign(head, bytes);
    const cipher = createCipheriv(CIPHER, this.#encryption, iv);
    return Buffer.concat([head, iv, cipher.update(bytes), cipher.final()]).toString("base64url");
  }

  /** Opens a text sealed with the same secret. */
  open(list: string, sealed: string): Opened {
    const bytes = Buffer.from(sealed, "base64url");
    // Node skips characters that are not base64url, so a text could be changed without effect.
    if (bytes.length <= HEAD_BYTES + IV_BYTES || bytes.toString("base64url") !== sealed) return undefined;
    const head = bytes.subarray(0, HEAD_BYTES);
    if (head[0] !== VERSION) return undefined;
    const iv = bytes.subarray(HEAD_BYTES, HEAD_BYTES + IV_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#encryption, iv);
    const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES + IV_BYTES)), decipher.final()]);
    if (!timingSafeEqual(iv, this.#sign(head, text))) return undefined;
    return head.equals(this.#head(list)) ? { text: text.toString() } : "foreign";
  }

  #head(list: string): Buffer {
    const digest = createHmac("sha256", this.#authentication).update(`list ${list}`).digest();
    return Buffer.concat([Buffer.from([VERSION]), digest.subarray(0, HEAD_BYTES - 1)]);
  }

  #sign(head: Buffer, text: Buffer): Buffer {
    const digest = createHmac("sha256", this.#authentication).update("text ").update(head).update(text).digest();
    return digest.subarray(0, IV_BYTES);
  }
}
