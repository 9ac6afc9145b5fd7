/**
 * Matches patterns of schema files with a time limit. The texts come from clients, and JavaScript's engine can take
 * extremely long for some of them.
 */
import { createContext, Script } from "node:vm";
import { isRecord } from "../../base/is-record.ts";
import { tryingBy } from "./matching.ts";

/** Milliseconds for all patterns of one body together. */
const TIME = 250;

/** Texts up to this length are matched directly: patterns that `cms generate` accepts are always fast for these. */
const SHORT = 255;

const context = createContext(Object.create(null));
const trial = new Script("pattern.test(text)");

/** The error belongs to the context's own realm, so `instanceof` does not work. */
const isTimeout = (error: unknown): boolean => isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Whether a text matches; false if that is not known after this time. */
const matchesWithin = (milliseconds: number, pattern: RegExp, text: string): boolean => {
  try {
    return trial.runInContext(Object.assign(context, { pattern, text }), { timeout: milliseconds }) === true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    Object.assign(context, { pattern: undefined, text: undefined });
  }
};

/** Runs the check of one body, whose patterns share the time limit; `work` must be synchronous. */
export const sharingTime = <Result>(work: () => Result): Result => {
  let left = TIME;
  return tryingBy((pattern, text) => {
    if (text.length <= SHORT) return pattern.test(text);
    if (left < 1) return false;
    const start = performance.now();
    const matches = matchesWithin(Math.ceil(left), pattern, text);
    left -= performance.now() - start;
    return matches;
  }, work);
};
