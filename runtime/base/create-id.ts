/** Makes ids of documents and sessions. */
import { randomFillSync } from "node:crypto";

const LETTERS = 26;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 24;

/** Unused random bytes: fetching many at once is far cheaper than a few per id. */
const bytes = Buffer.alloc(4096);
let used = bytes.length;

/** A uniformly random number below `count`: skips bytes at the top of the range that would bias it. */
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
 * A new id in the form of a cuid2: 24 lower-case letters and digits, beginning with a letter. It comes entirely from
 * the system's secure random numbers (123.6 bits), so ids are unique without a counter and cannot be guessed.
 */
export const createId = (): string => {
  let id = CHARACTERS.charAt(below(LETTERS));
  while (id.length < LENGTH) id += CHARACTERS.charAt(below(CHARACTERS.length));
  return id;
};
