/** Background work that no response waits for, such as sending mail. */
import type { Logger } from "./log.ts";

export interface Background {
  /** Starts `work` without waiting for it. If it fails, logs `message` with the error. */
  run(work: Promise<unknown>, message: string): void;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

export const createBackground = (log: Logger): Background => {
  const running = new Set<Promise<void>>();
  return {
    run(work, message) {
      const watch = async (): Promise<void> => {
        try {
          await work;
        } catch (error) {
          log.error({ err: error }, message);
        }
        running.delete(watched);
      };
      const watched = watch();
      running.add(watched);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
