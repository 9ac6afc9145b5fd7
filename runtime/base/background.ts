/** Background work that no response waits for, such as sending mail. */
import type { Logger } from "./log.ts";

export type Background = ReturnType<typeof createBackground>;

export const createBackground = (log: Logger) => {
  const running = new Set<Promise<void>>();
  return {
    /** Starts `work` without waiting for it. If it fails, logs `message` with the error. */
    run(work: Promise<unknown>, message: string): void {
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
    /** Resolves when no work is running. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
