/**
 * The lock on the folder of an embedded database. PGlite itself takes no lock, and two processes in one folder would
 * silently lose data.
 *
 * The lock is a file that names its holder, who touches it every few seconds (the heartbeat). A killed holder leaves
 * the file behind. If the holder's process is visible from here, the operating system tells whether it still runs; in
 * another container or on another machine its process id means nothing, so only the heartbeat counts.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { link, readFile, readlink, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { hasCode, SetupError } from "../../base/thrown.ts";

const holderSchema = z.object({
  pid: z.number(),
  /** When the process started, as the operating system tells; null if it does not. */
  started: z.string().nullable(),
  command: z.string(),
  since: z.string(),
  host: z.string().default("an unknown machine"),
  /** Identifies the current boot of the machine; null if the system has no such id. */
  boot: z.string().nullable().default(null),
  /** The process namespace (container) in which the process id is valid; null if the system has none. */
  namespace: z.string().nullable().default(null),
});
export type Holder = z.infer<typeof holderSchema>;

/** Parses the content of a lock file; undefined if it is not a lock of ours. */
const readHolder = (text: string): Holder | undefined => {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** The start time of a process, which tells processes apart that got the same id one after another. Null if unknown. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${pid}/stat`, "utf8");
      // The second field is the process's name in parentheses, which may contain spaces; the start time is field 22.
      return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
};

const readBoot = async (): Promise<string | null> => {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
  return text?.trim() ?? null;
};

/** This process, as the holder of a lock. */
export const describeSelf = async (command: string): Promise<Holder> => ({
  pid: process.pid,
  started: await startOf(process.pid),
  command,
  since: new Date().toISOString(),
  host: hostname(),
  boot: await readBoot(),
  namespace: await readlink("/proc/self/ns/pid").catch(() => null),
});

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
};

/** Whether process ids mean the same for both holders. */
const sharesProcesses = (one: Holder, other: Holder): boolean =>
  one.host === other.host && one.boot === other.boot && one.namespace === other.namespace;

/** Whether both run on the same machine, possibly before and after a reboot. */
const sharesMachine = (one: Holder, other: Holder): boolean =>
  one.host === other.host || (one.boot !== null && one.boot === other.boot);

/** Whether the holder still runs; only valid if {@link sharesProcesses}. */
const isAlive = async ({ pid, started }: Holder): Promise<boolean> => {
  if (!isRunning(pid)) return false;
  const actual = await startOf(pid);
  return started === null || actual === null || actual === started;
};

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
const startHeartbeat = (file: string, content: string): (() => Promise<void>) => {
  // Worker threads inherit the flags of Node by default. One of those may make Node treat code given as text as a
  // module.
  const worker = new Worker(thread, { eval: true, execArgv: [], workerData: { file, content, interval: BEAT } });
  worker.unref();
  return async () => {
    await worker.terminate();
  };
};

/** Whether the lock `file` has our `content`; true too if the file cannot be read just now. */
const isOurs = (file: string, content: string): boolean => {
  try {
    return readFileSync(file, "utf8") === content;
  } catch {
    return true;
  }
};

/** Milliseconds that a heartbeat may be late on a busy machine. */
const PATIENCE = 15_000;

/** Whether a heartbeat is seen within `patience` milliseconds. */
const beats = async (file: string, patience: number): Promise<boolean> => {
  const lastBeat = async (): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.mtimeMs;
  const first = await lastBeat();
  for (const until = Date.now() + patience; Date.now() < until;) {
    await wait(Math.min(250, patience));
    if ((await lastBeat()) !== first) return true;
  }
  return false;
};

/** Another process has the database open, or may have it open. */
export class DatabaseLockedError extends SetupError {
  /** The command that the other process runs, such as `cms dev`. */
  readonly command: string;

  constructor({ command, pid, host, since }: Holder, advice: string) {
    super(`the embedded database is in use by "${command}" (process ${pid} on ${host}, since ${since}). ${advice}`);
    this.command = command;
  }
}

/** Commands that hold the lock for as long as they serve. All others exit by themselves. */
export const SERVING: ReadonlySet<string> = new Set(["cms start", "cms dev"]);

const stopFirst = "Stop it first, or use a PostgreSQL server by DATABASE_URL: it serves several processes.";

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

/**
 * Removes the lock file of a holder that has ended. If another process has taken the lock since the file was read,
 * restores it.
 */
const removeStale = async (file: string, text: string): Promise<void> => {
  const aside = `${file}.${process.pid}.stale`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  if ((await readFile(aside, "utf8")) !== text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
};

/** A lock that this process holds. */
export interface Lock {
  release(): Promise<void>;
  /**
   * Call it before and after anything that must not happen without the lock. If the process was suspended for so long
   * that another may have taken the lock, this checks whether it still holds it, and kills the process if it does not.
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
 * @param command the command that this process runs, shown to others; such as `cms dev`
 * @param patience milliseconds to wait for a heartbeat of a holder whose process is not visible from here
 * @throws DatabaseLockedError when the lock is held, or when it cannot be determined whether it is
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
        if (!hasCode(error, "EEXIST")) throw error;
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

/**
 * Takes the lock as {@link takeLock} does, as soon as it is free.
 *
 * @param taken called while another process holds it, before the next attempt; throws to stop
 */
export const awaitLock = async (
  file: string,
  command: string,
  taken: (error: DatabaseLockedError) => Promise<void>,
  patience = PATIENCE,
): Promise<Lock> => {
  for (;;) {
    try {
      return await takeLock(file, command, patience);
    } catch (error) {
      if (!(error instanceof DatabaseLockedError)) throw error;
      await taken(error);
    }
  }
};
