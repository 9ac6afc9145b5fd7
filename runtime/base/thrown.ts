/** What was thrown, in words. Code of a project may throw anything: a text, nothing at all, an object without a prototype. */
import { inspect } from "node:util";

const wordsOf = (thrown: unknown): string =>
  typeof thrown === "string" ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });

/** The message of an error; whatever else was thrown as it is. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.message === "string" ? thrown.message : wordsOf(thrown);

/** An error with the place where it was thrown; whatever else was thrown as it is. */
export const traceOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : messageOf(thrown);
