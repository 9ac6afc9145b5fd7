/** Work that is tried again and again, whether it succeeds or not. */
import type { Logger } from "../base/log.ts";
import { messageOf } from "../base/thrown.ts";

export type Attempts = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Runs an attempt. If it fails, returns nothing, and logs `message` with the error, but only once for the same error,
 * until an attempt succeeds: an outage should not fill the log.
 */
export const createAttempts = (log: Logger, message: string, about: object = {}): Attempts => {
  let logged: string | undefined;
  return async (work) => {
    try {
      const result = await work();
      logged = undefined;
      return result;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== logged) log.warn({ err: error, ...about }, message);
      logged = reason;
      return undefined;
    }
  };
};
