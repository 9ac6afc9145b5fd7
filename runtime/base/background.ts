/** Work that an answer does not wait for, such as sending a mail. */
import type { Logger } from "./log.ts";

export interface Background {
  /** Lets `work` run; when it fails, `message` is logged. */
  run(work: Promise<unknown>, message: string): void;
  /** Resolves when nothing runs any more. */
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
