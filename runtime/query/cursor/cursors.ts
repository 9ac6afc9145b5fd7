/** Cursors: positions in lists. A cursor holds an entry's sort values and its id. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ValidationError } from "../../base/errors.ts";

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

/** Maximum length of a cursor to read; the cursors we write are shorter. */
const LONGEST = 4000;
/** Maximum bytes of all values in one cursor. Values beyond that are replaced by their digest. */
const VALUES = 1500;

/** A value that is too long for a cursor. */
export interface Digest {
  readonly digest: string;
}

/** An entry of a list: the texts of its sort values, as PostgreSQL prints them, and its id. */
export interface Anchor {
  readonly id: number;
  readonly values: readonly (string | Digest | null)[];
}

/** A cursor whose values are all known. */
export interface KnownAnchor extends Anchor {
  readonly values: readonly (string | null)[];
}

const contents = z.tuple([
  z.number().int(),
  z.array(z.union([z.string(), z.null(), z.strictObject({ digest: z.string() })])),
]);

const about = { key: "after", path: "after", source: "query", param: "pagination" };

const unknownCursor = (): ValidationError =>
  new ValidationError(
    "Invalid cursor. Pass on `after` as it is in the answer before, or leave it empty for the first page",
    about,
  );

const digestOf = (text: string): Digest => ({ digest: createHash("sha256").update(text).digest("base64url") });

const isDigest = (value: Anchor["values"][number]): value is Digest => typeof value === "object" && value !== null;

/** As many of the values as fit, and the digests of the others. */
const fitting = (values: KnownAnchor["values"]): Anchor["values"] => {
  let left = VALUES;
  return values.map((value) => {
    const size = Buffer.byteLength(JSON.stringify(value));
    if (value === null || size > left) return value === null ? null : digestOf(value);
    left -= size;
    return value;
  });
};

/** Whether all values of an entry are known, because none was too long. */
export const isKnown = (anchor: Anchor): anchor is KnownAnchor => !anchor.values.some(isDigest);

/**
 * The anchor with all of its values, taken from the entry's current ones.
 *
 * @param current undefined if the entry no longer exists
 * @throws ValidationError if a value known only by its digest has changed
 */
export const completed = ({ id, values }: Anchor, current: KnownAnchor["values"] | undefined): KnownAnchor => ({
  id,
  values: values.map((value, index) => {
    if (!isDigest(value)) return value;
    const now = current?.[index];
    if (typeof now === "string" && digestOf(now).digest === value.digest) return now;
    throw new ValidationError(
      "The entry at which this cursor ends has been changed or deleted, and its values are too long for a cursor. " +
        "Start again, or sort by attributes with shorter values",
      about,
    );
  }),
});

/** Writes and reads the cursors of one server. */
export class Cursors {
  readonly #seal: Seal;

  /** All servers of an application have to share the secret. */
  constructor(secret: string) {
    this.#seal = new Seal(secret);
  }

  /**
   * The cursor for an entry.
   *
   * @param list identifies the list, including its order
   */
  write(list: string, { id, values }: KnownAnchor): string {
    return this.#seal.seal(list, JSON.stringify([id, fitting(values)]));
  }

  /**
   * The entry of a cursor.
   *
   * @throws ValidationError if this application did not write the cursor, or wrote it for another list
   */
  read(list: string, cursor: string): Anchor {
    const opened = cursor.length > LONGEST ? undefined : this.#seal.open(list, cursor);
    if (opened === undefined) throw unknownCursor();
    if (opened === "foreign") {
      throw new ValidationError(
        "Invalid cursor. It belongs to another list: type, sort, status and locale must stay the same",
        about,
      );
    }
    const [id, values] = contents.parse(JSON.parse(opened.text));
    return { id, values };
  }
}
