/**
 * The memory of a closed embedded database is garbage that the engine of JavaScript does not see: without a word it would
 * let gigabytes of it pile up in a process that runs many files.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MB = 1024 ** 2;
const MUCH = 600 * MB;
/** A collection takes a quarter of a second: there is none before this much has come since the last. */
const MORE = 250 * MB;

let left = 0;

/** Collects garbage where there may be much. */
export const freeMemory = (): void => {
  if (process.memoryUsage.rss() < Math.max(MUCH, left + MORE)) return;
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  left = process.memoryUsage.rss();
};
