/**
 * Runs before each test file. The memory of a closed embedded database is garbage that the engine of JavaScript does not
 * see: without a word it would let gigabytes of it pile up in a process that runs many files.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MUCH = 1024 ** 3;

if (process.memoryUsage.rss() > MUCH) {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
