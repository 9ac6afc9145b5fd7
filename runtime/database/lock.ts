/**
 * The lock on an embedded database's folder. The engine takes none, and two processes on one folder lose data silently.
 *
 * The lock is a file that names its holder, who touches it every few seconds. A holder that was killed leaves it behind.
 * Where the process can be seen from here, the system tells whether it lives; in another container or on another machine
 * its number means nothing, and only the touching counts.
 */
import { link, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { SetupError } from "../base/setup-error.ts";
import { beats, isOurs, PATIENCE, startHeartbeat } from "./heartbeat.ts";
import { describeSelf, type Holder, isAlive, readHolder, sharesMachine, sharesProcesses } from "./lock-holder.ts";

/** Another process has the database open, or may have. */
export class DatabaseLockedError extends SetupError {
  /** What the other process said it is, such as `cms dev`. */
  readonly command: string;

  constructor({ command, pid, host, since }: Holder, advice: string) {
    super(`the embedded database is in use by "${command}" (process ${pid} on ${host}, since ${since}). ${advice}`);
    this.command = command;
  }
}

const stopFirst = "Stop it first, or use a PostgreSQL server by DATABASE_URL: it serves several processes.";

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
const isThere = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST";

/** @throws DatabaseLockedError unless the holder is known to have ended */
const refuseUnlessEnded = async (file: string, holder: Holder, own: Holder, patience: number): Promise<void> => {
  if (sharesProcesses(holder, own)) {
    if (await isAlive(holder)) throw new DatabaseLockedError(holder, stopFirst);
    return;
  }
  if (await beats(file, patience)) throw new DatabaseLockedError(holder, stopFirst);
  if (sharesMachine(holder, own)) return;
  const unsure =
    `That is another machine, and nothing was heard of it for ${patience / 1000} seconds, which may also be the network's ` +
    `fault. When you are sure that the process has ended, delete ${file} and start again.`;
  throw new DatabaseLockedError(holder, unsure);
};

/** Removes a dead holder's file, unless someone else has done so and taken the lock since it was read. */
const removeStale = async (file: string, text: string): Promise<void> => {
  const aside = `${file}.${process.pid}.stale`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if ((await readFile(aside, "utf8")) !== text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
};

/** A lock that this process has. */
export interface Lock {
  release(): Promise<void>;
  /**
   * Called before and after whatever must not be done without the lock. A process that stood still in between, so that
   * another may have taken it, makes sure that it has it, and ends as if its power had been cut where it has not.
   */
  confirm(): void;
}

const hold = (file: string, content: string): Lock => {
  const stop = startHeartbeat(file, content);
  let confirmed = Date.now();
  return {
    async release() {
      await stop();
      const current = await readFile(file, "utf8").catch(() => "");
      if (current === content) await unlink(file);
    },
    confirm() {
      const stoodStill = Date.now() - confirmed;
      if (stoodStill > PATIENCE / 2 && !isOurs(file, content)) process.kill(process.pid, "SIGKILL");
      confirmed = Date.now();
    },
  };
};

/**
 * Takes the lock `file` for this process.
 *
 * @param command what others are told that holds it, such as `cms dev`
 * @param patience milliseconds to wait for a sign of life of a holder that cannot be seen from here
 * @throws DatabaseLockedError when it is held, or when nobody can tell whether it is
 */
export const takeLock = async (file: string, command: string, patience = PATIENCE): Promise<Lock> => {
  const own = await describeSelf(command);
  const content = JSON.stringify(own);
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(temporary, content, { mode: 0o600 });
  try {
    for (;;) {
      try {
        await link(temporary, file);
        return hold(file, content);
      } catch (error) {
        if (!isThere(error)) throw error;
      }
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const holder = readHolder(text);
      if (holder) await refuseUnlessEnded(file, holder, own, patience);
      await removeStale(file, text);
    }
  } finally {
    await rm(temporary, { force: true });
  }
};
