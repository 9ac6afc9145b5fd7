/** The sign of life of a process that holds a lock, for those who cannot see the process itself. */
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Milliseconds between two beats. */
const BEAT = 2000;

/**
 * Runs in a thread of its own, so that it goes on while the engine computes. A process that stood still for so long that
 * another took its lock must not write again: it ends as if its power had been cut, which the database survives.
 */
const thread = `
  const { readFileSync, utimesSync } = require("node:fs");
  const { workerData: { file, content, interval } } = require("node:worker_threads");
  const beat = () => {
    try {
      if (readFileSync(file, "utf8") !== content) process.kill(process.pid, "SIGKILL");
      utimesSync(file, new Date(), new Date());
    } catch {}
  };
  setInterval(beat, interval);
`;

/** Touches the lock `file` again and again as long as it says `content`. Answers with the function that ends it. */
export const startHeartbeat = (file: string, content: string): (() => Promise<void>) => {
  // Without the flags of the main thread, which may say that code given as text is a module.
  const worker = new Worker(thread, { eval: true, execArgv: [], workerData: { file, content, interval: BEAT } });
  worker.unref();
  return async () => {
    await worker.terminate();
  };
};

/** Whether the lock `file` says `content`; one that cannot be read says nothing else. */
export const isOurs = (file: string, content: string): boolean => {
  try {
    return readFileSync(file, "utf8") === content;
  } catch {
    return true;
  }
};

/** Milliseconds that a heart may pause on a busy machine. */
export const PATIENCE = 15_000;

/** Watches for a sign of life, for `patience` milliseconds at most. */
export const beats = async (file: string, patience: number): Promise<boolean> => {
  const lastBeat = async (): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.mtimeMs;
  const first = await lastBeat();
  for (const until = Date.now() + patience; Date.now() < until;) {
    await wait(Math.min(250, patience));
    if ((await lastBeat()) !== first) return true;
  }
  return false;
};
