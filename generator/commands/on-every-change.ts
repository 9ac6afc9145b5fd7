import { watch } from "chokidar";
import { untilStopped } from "./until-stopped.ts";

/** Editors write several files at once: changes that follow each other this quickly (milliseconds) are one. */
const PAUSE = 50;

export interface Watched {
  readonly paths: readonly string[];
  /** Whether a change of this file matters. */
  readonly concerns: (path: string) => boolean;
  /** Runs once for each batch of changes, never twice at a time. What it throws ends the watching. */
  readonly run: () => Promise<void>;
  /** Called when the first run is over. */
  readonly started?: () => void;
}

/**
 * Runs once as soon as no change can be missed any more, then for every change until the process is told to end (Ctrl+C),
 * and lets the last run finish.
 */
export const onEveryChange = async ({ paths, concerns, run, started }: Watched): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch([...paths], { ignoreInitial: true });
  const failed = new Promise<never>((_resolve, reject) => {
    const next = (): void => {
      running = running.then(run);
      running.catch(reject);
    };
    watcher.once("ready", () => {
      next();
      if (started) running.then(started, () => {});
    });
    watcher.on("all", (_event, path) => {
      if (!concerns(path)) return;
      clearTimeout(timer);
      timer = setTimeout(next, PAUSE);
    });
    watcher.on("error", reject);
  });
  try {
    await Promise.race([untilStopped(), failed]);
  } finally {
    clearTimeout(timer);
    await watcher.close();
    await running;
  }
};
