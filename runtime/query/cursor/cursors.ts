/** Cursors: positions in lists. A cursor holds an entry's sort values and its id. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { ValidationError } from "../../base/errors.ts";
import { Seal } from "./seal.ts";

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
