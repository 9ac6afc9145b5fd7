/** Patterns of schema files, tried on what strangers send: JavaScript's engine takes as long as it takes, unless it is ended. */
import { createContext, Script } from "node:vm";
import { isRecord } from "../../base/is-record.ts";
import { tryingBy } from "./matching.ts";

/** Milliseconds for all patterns of one body. */
const TIME = 250;

/** Texts up to this length are tried at once: no pattern that `cms generate` lets pass takes them long. */
const SHORT = 255;

const context = createContext(Object.create(null));
const trial = new Script("pattern.test(text)");

/** The error is one of the context's own kind, and no instance of ours. */
const isTimeout = (error: unknown): boolean => isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Whether a text matches; one that is not known to after so many milliseconds does not. */
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

/** Checks one body, whose patterns share their time; `work` must not wait for anything. */
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
