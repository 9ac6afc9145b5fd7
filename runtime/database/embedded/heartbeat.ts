/**
 * The heartbeat of a process that holds a lock: shows others that it is alive when they cannot see the process itself.
 */
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Milliseconds between two beats. */
const BEAT = 2000;

/**
 * The code of a worker thread, so that the heartbeat continues while the main thread computes. If the process was
 * suspended for so long that another has taken its lock, it must not write any more: it kills itself, which the
 * database survives like a power failure.
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

/** Touches the lock `file` regularly as long as its content is `content`. Returns the function that stops it. */
export const startHeartbeat = (file: string, content: string): (() => Promise<void>) => {
  // Worker threads inherit the flags of Node by default. One of those may make Node treat code given as text as a
  // module.
  const worker = new Worker(thread, { eval: true, execArgv: [], workerData: { file, content, interval: BEAT } });
  worker.unref();
  return async () => {
    await worker.terminate();
  };
};

/** Whether the lock `file` has our `content`; true too if the file cannot be read just now. */
export const isOurs = (file: string, content: string): boolean => {
  try {
    return readFileSync(file, "utf8") === content;
  } catch {
    return true;
  }
};

/** Milliseconds that a heartbeat may be late on a busy machine. */
export const PATIENCE = 15_000;

/** Whether a heartbeat is seen within `patience` milliseconds. */
export const beats = async (file: string, patience: number): Promise<boolean> => {
  const lastBeat = async (): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.mtimeMs;
  const first = await lastBeat();
  for (const until = Date.now() + patience; Date.now() < until;) {
    await wait(Math.min(250, patience));
    if ((await lastBeat()) !== first) return true;
  }
  return false;
};
