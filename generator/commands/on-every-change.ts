import { statSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type FSWatcher, watch } from "chokidar";
import { untilStopped } from "./until-stopped.ts";

/** Editors write several files at once: changes that follow each other this quickly (milliseconds) are one. */
const PAUSE = 50;

/** How often `isDue` is asked, in milliseconds. */
const ASKING = 1000;

/** Folders in which nobody works, wherever they lie. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git", ".cms"]);

/** When a file was written last; 0 where there is none. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** How often it is asked whether files are watched by now, at most, and how many milliseconds lie between. */
const TIMES = 100;

const untilWatched = async (watcher: FSWatcher, paths: readonly string[]): Promise<void> => {
  const isWatched = (path: string): boolean => {
    const watched = watcher.getWatched();
    return path in watched || (watched[dirname(path)]?.includes(basename(path)) ?? false);
  };
  for (let left = TIMES; left > 0 && !watcher.closed && !paths.every(isWatched); left -= 1) await wait(PAUSE);
  await wait(PAUSE);
};

export interface Watched {
  /** The folder of the project. */
  readonly root: string;
  readonly paths: readonly string[];
  /** Whether a change of this file matters. */
  readonly concerns: (path: string) => boolean;
  /**
   * Runs once for each batch of changes, never twice at a time, with the files that were changed: at first none. What it
   * throws ends the watching. It may name more files and folders to watch. The signal is aborted when the process was
   * told to end.
   */
  readonly run: (changed: ReadonlySet<string>, ending: AbortSignal) => Promise<readonly string[] | void>;
  /** Called when the first run is over. */
  readonly started?: () => void;
  /** Asked every second between two runs: whether to run although no file was changed. */
  readonly isDue?: () => Promise<boolean>;
}

/**
 * Runs once as soon as no change can be missed any more, then for every change until the process is told to end (Ctrl+C),
 * and lets the last run finish.
 */
export const onEveryChange = async ({ root, paths, concerns, run, started, isDue }: Watched): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  let asking: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let changed = new Set<string>();
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignored: (path) =>
      relative(root, path)
        .split(sep)
        .some((name) => PASSED_OVER.has(name)),
  });
  const ending = new AbortController();
  const { signal } = ending;
  const known = new Set<string>();
  const failed = new Promise<never>((_resolve, reject) => {
    const next = (): void => {
      running = running.then(runOnce);
      running.catch(reject);
    };
    const notice = (path: string): void => {
      if (signal.aborted) return;
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(next, PAUSE);
    };
    /** Between being read and being watched they may have changed. */
    const watchMore = async (paths: readonly string[], since: number): Promise<void> => {
      // One that was closed would begin anew, and keep the process from ending.
      if (watcher.closed) return;
      watcher.add([...paths]);
      await untilWatched(watcher, paths);
      for (const path of paths) if (changedAt(path) >= since) notice(path);
    };
    const runOnce = async (): Promise<void> => {
      const batch = changed;
      changed = new Set();
      const since = Date.now();
      const more = ((await run(batch, signal)) ?? []).filter((path) => !known.has(path));
      for (const path of more) known.add(path);
      if (more.length > 0) void watchMore(more, since);
    };
    const askAgain = (): void => {
      if (isDue && !signal.aborted)
        asking = setTimeout(() => (running = running.then(runIfDue)).then(askAgain, reject), ASKING);
    };
    const runIfDue = async (): Promise<void> => {
      if (!signal.aborted && changed.size === 0 && (await isDue?.())) await runOnce();
    };
    watcher.once("ready", () => {
      next();
      if (started) running.then(started, () => {});
      askAgain();
    });
    watcher.on("all", (_event, path) => {
      if (concerns(path)) notice(path);
    });
    watcher.on("error", reject);
  });
  try {
    await Promise.race([untilStopped(), failed]);
  } finally {
    ending.abort();
    clearTimeout(timer);
    clearTimeout(asking);
    await watcher.close();
    await running;
  }
};
