/** Describes thrown values. A project's code may throw anything: a string, undefined, an object without a prototype. */
import { inspect } from "node:util";

const wordsOf = (thrown: unknown): string =>
  typeof thrown === "string" ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });

/** The message of an error; other values as text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.message === "string" ? thrown.message : wordsOf(thrown);

/** An error with its stack trace; other values as text. */
export const traceOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : messageOf(thrown);
