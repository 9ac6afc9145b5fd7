/**
 * Limits how long the check of a body may take. Its texts come from clients, and JavaScript's engine can take extremely
 * long to match some texts against some patterns.
 */
import { createContext, Script } from "node:vm";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { limitMatching } from "./text.ts";

/** Milliseconds for checking one body. */
const TIME = 250;

/** How many of them are left. Bodies are checked one after the other. */
let left = TIME;

/** Begins the check of a body. */
export const beginBody = (): void => void (left = TIME);

const context = createContext(Object.create(null));
const run = new Script("work()");

/** The error belongs to the context's own realm, so `instanceof` does not work. */
const isTimeout = (error: unknown): boolean => isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/**
 * Runs synchronous work, and interrupts it if it takes too long, even in the middle of a pattern match.
 *
 * @throws ValidationError if it was interrupted
 */
export const withinTime = <Result>(work: () => Result): Result => {
  let result: { readonly value: Result } | undefined;
  const start = performance.now();
  const timeout = Math.max(1, Math.ceil(left));
  try {
    run.runInContext(Object.assign(context, { work: () => void (result = { value: work() }) }), { timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    left -= performance.now() - start;
    Object.assign(context, { work: undefined });
  }
  if (!result) throw new ValidationError("The data take too long to check: a text is too long for its pattern");
  return result.value;
};

limitMatching(withinTime);
