/** Lets one process at a time write generated files: `cms generate` and `cms dev` may run in two terminals. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isFileFault } from "../../../runtime/base/thrown.ts";
import { awaitLock, type DatabaseLockedError, type Lock } from "../../../runtime/database/embedded/lock.ts";
import { CommandError } from "../exit-codes.ts";

/** How long to wait for another run, and between two attempts, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 50;

/** Undefined if `.cms` is not writable: such a run changes nothing, or reports by itself what it cannot write. */
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
 * Runs `work` while no other process generates in the project.
 *
 * @param command what this process runs, such as `cms generate`
 * @throws CommandError if another process takes too long
 */
export const alone = async <T>(root: string, command: string, work: () => Promise<T>): Promise<T> => {
  const lock = await take(path.join(root, ".cms", "generate.lock"), command);
  try {
    return await work();
  } finally {
    await lock?.release();
  }
};
