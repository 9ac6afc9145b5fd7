import { statSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type FSWatcher, watch } from "chokidar";
import { untilStopped } from "./until-stopped.ts";

/** Editors write several files at once: changes within this many milliseconds form one batch. */
const PAUSE = 50;

/** How often `isDue` is asked, in milliseconds. */
const ASKING = 1000;

/** Folders that are never watched, wherever they are. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git", ".cms"]);

/** When a file was last written; 0 if it does not exist. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** How often, at most, to check that files are being watched, and the milliseconds in between. */
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
   * Runs once per batch of changes, never concurrently, with the changed files: none the first time. An error that it
   * throws ends the watching. It may name more files and folders to watch. The signal is aborted when the process is
   * asked to stop.
   */
  readonly run: (changed: ReadonlySet<string>, ending: AbortSignal) => Promise<readonly string[] | void>;
  /** Called after the first run. */
  readonly started?: () => void;
  /** Asked every second between two runs: whether to run although no file changed. */
  readonly isDue?: () => Promise<boolean>;
}

/** The runs of one watcher, in sequence. */
class Runs {
  /** Rejects when a run or the watcher fails. */
  readonly failed: Promise<never>;
  readonly #watched: Watched;
  readonly #watcher: FSWatcher;
  readonly #ending = new AbortController();
  /** Paths that runs have named, watched as well. */
  readonly #known = new Set<string>();
  #changed = new Set<string>();
  #running = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #fail: (error: unknown) => void = () => {};

  constructor(watched: Watched, watcher: FSWatcher) {
    this.#watched = watched;
    this.#watcher = watcher;
    this.failed = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    watcher.once("ready", () => this.#begin());
    watcher.on("all", (_event, path) => {
      if (watched.concerns(path)) this.#notice(path);
    });
    watcher.on("error", (error) => this.#fail(error));
  }

  /** Lets the last run finish. */
  async end(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#asking);
    await this.#watcher.close();
    await this.#running;
  }

  #begin(): void {
    const { started } = this.#watched;
    this.#next();
    if (started) this.#running.then(started, () => {});
    this.#askAgain();
  }

  #next(): void {
    this.#running = this.#running.then(() => this.#runOnce());
    this.#running.catch(this.#fail);
  }

  #notice(path: string): void {
    if (this.#ending.signal.aborted) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), PAUSE);
  }

  async #runOnce(): Promise<void> {
    const batch = this.#changed;
    this.#changed = new Set();
    const since = Date.now();
    const named = (await this.#watched.run(batch, this.#ending.signal)) ?? [];
    const more = named.filter((path) => !this.#known.has(path));
    for (const path of more) this.#known.add(path);
    if (more.length > 0) void this.#watchMore(more, since);
  }

  /** They may have changed between being read and being watched. */
  async #watchMore(paths: readonly string[], since: number): Promise<void> {
    // A closed watcher would start anew, and keep the process alive.
    if (this.#watcher.closed) return;
    this.#watcher.add([...paths]);
    await untilWatched(this.#watcher, paths);
    for (const path of paths) if (changedAt(path) >= since) this.#notice(path);
  }

  #askAgain(): void {
    if (!this.#watched.isDue || this.#ending.signal.aborted) return;
    this.#asking = setTimeout(() => {
      this.#running = this.#running.then(() => this.#runIfDue());
      this.#running.then(() => this.#askAgain(), this.#fail);
    }, ASKING);
  }

  async #runIfDue(): Promise<void> {
    if (this.#ending.signal.aborted || this.#changed.size > 0) return;
    if (await this.#watched.isDue?.()) await this.#runOnce();
  }
}

/**
 * Runs once as soon as no change can be missed, then on every change until the process is asked to stop (Ctrl+C), and
 * lets the last run finish.
 */
export const onEveryChange = async (watched: Watched): Promise<void> => {
  const watcher = watch([...watched.paths], {
    ignoreInitial: true,
    ignored: (path) =>
      relative(watched.root, path)
        .split(sep)
        .some((name) => PASSED_OVER.has(name)),
  });
  const runs = new Runs(watched, watcher);
  try {
    await Promise.race([untilStopped(), runs.failed]);
  } finally {
    await runs.end();
  }
};
