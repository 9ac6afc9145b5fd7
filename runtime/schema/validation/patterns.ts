/** Patterns of schema files, tried on what strangers send: JavaScript's engine takes as long as it takes, unless it is ended. */
import { createContext, Script } from "node:vm";
import { isRecord } from "../../base/is-record.ts";

/** Milliseconds for all patterns of one body. */
const TIME = 250;

/** Texts up to this length are tried at once: no pattern that `cms generate` lets pass takes them long. */
const SHORT = 255;

const context = createContext(Object.create(null));
const trial = new Script("pattern.test(text)");

let left = TIME;

/** Checks one body: its patterns share their time. `work` must not wait for anything. */
export const sharingTime = <Result>(work: () => Result): Result => {
  left = TIME;
  return work();
};

/** The error is one of the context's own kind, and no instance of ours. */
const isTimeout = (error: unknown): boolean => isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Whether a text matches; one that is not known to when the time is over does not. */
export const matchesInTime = (pattern: RegExp, text: string): boolean => {
  if (text.length <= SHORT) return pattern.test(text);
  if (left < 1) return false;
  const start = performance.now();
  try {
    return trial.runInContext(Object.assign(context, { pattern, text }), { timeout: Math.ceil(left) }) === true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    left -= performance.now() - start;
    Object.assign(context, { pattern: undefined, text: undefined });
  }
};
