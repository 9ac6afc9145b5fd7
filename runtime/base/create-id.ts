/** Makes ids of documents and sessions. */
import { randomFillSync } from "node:crypto";

const LETTERS = 26;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 24;

/** Random bytes that are not used yet: fetching many at once is far cheaper than a few for each id. */
const bytes = Buffer.alloc(4096);
let used = bytes.length;

/** A random number below `count`, each equally likely: bytes at the end that would favour some numbers are skipped. */
const below = (count: number): number => {
  const usable = 256 - (256 % count);
  for (;;) {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    const byte = bytes[used] ?? usable;
    used += 1;
    if (byte < usable) return byte % count;
  }
};

/**
 * A new id in the form of a cuid2: 24 lower-case letters and digits, beginning with a letter. All of it is from the
 * system's secure random numbers: 123.6 bits, so that ids are unique without a counter, and cannot be guessed.
 */
export const createId = (): string => {
  let id = CHARACTERS.charAt(below(LETTERS));
  while (id.length < LENGTH) id += CHARACTERS.charAt(below(CHARACTERS.length));
  return id;
};
