/** Runs pieces of work one after the other. */
export const createMutex = () => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work, work);
      last = result.catch(() => {});
      return result;
    },
    /** Resolves when no work is running or waiting. */
    async settled(): Promise<void> {
      for (let seen; seen !== last; await seen) seen = last;
    },
  };
};
