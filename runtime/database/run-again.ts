import { canRunAgain } from "./fault.ts";

const ATTEMPTS = 10;

/**
 * Runs `work` up to ten times while it fails with an error that `passes`: by default, conflicts after which PostgreSQL
 * has rolled everything back. Throws the last error.
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
