import { canRunAgain } from "./fault.ts";

const ATTEMPTS = 10;

/**
 * Runs what others may get in the way of, up to ten times: while it fails with an error that `passes`, which by default
 * are those after which PostgreSQL has taken everything back. The error of the last time is thrown.
 */
export const runAgain = async <Result>(
  work: () => Promise<Result>,
  passes: (error: unknown) => boolean = canRunAgain,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !passes(error)) throw error;
    }
  }
};
