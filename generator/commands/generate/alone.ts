/** Lets one process at a time write generated files: `cms generate` may run in one terminal and `cms dev` in another. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isFileFault } from "../../../runtime/base/error-code.ts";
import { awaitLock, type DatabaseLockedError, type Lock } from "../../../runtime/database/embedded/lock.ts";
import { CommandError } from "../exit-codes.ts";

/** Milliseconds to wait for another run, and between two attempts. */
const PATIENCE = 60_000;
const PAUSE = 50;

/** Undefined where `.cms` may not be written: such a run changes nothing, or says itself what it may not write. */
const take = async (file: string, command: string): Promise<Lock | undefined> => {
  const until = Date.now() + PATIENCE;
  const taken = async (error: DatabaseLockedError): Promise<void> => {
    if (Date.now() > until) throw new CommandError(`"${error.command}" has been generating files for a minute`);
    await sleep(PAUSE);
  };
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    return await awaitLock(file, command, taken, PATIENCE);
  } catch (error) {
    if (isFileFault(error)) return undefined;
    throw error;
  }
};

/**
 * Does the work while no other process in the project does such work.
 *
 * @param command what this process runs, such as `cms generate`
 * @throws CommandError when another process goes on for too long
 */
export const alone = async <T>(root: string, command: string, work: () => Promise<T>): Promise<T> => {
  const lock = await take(path.join(root, ".cms", "generate.lock"), command);
  try {
    return await work();
  } finally {
    await lock?.release();
  }
};
