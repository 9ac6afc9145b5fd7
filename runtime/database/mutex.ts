/** Runs pieces of work one after the other. */
export interface Mutex {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when no work is running or waiting. */
  settled(): Promise<void>;
}

export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work, work);
      last = result.catch(() => {});
      return result;
    },
    async settled() {
      for (let seen; seen !== last; await seen) seen = last;
    },
  };
};
