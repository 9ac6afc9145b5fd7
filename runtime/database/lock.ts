/**
 * The lock on an embedded database's folder. The engine takes none, and two processes on one folder lose data silently.
 *
 * The lock is a file that names its holder. A holder that was killed leaves it behind: it counts only as long as a
 * process with that number lives that also started when the file says.
 */
import { execFile } from "node:child_process";
import { link, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { SetupError } from "../base/setup-error.ts";

const holderSchema = z.object({
  pid: z.number(),
  /** When the process started, as its system tells; null where it cannot tell. */
  started: z.string().nullable(),
  command: z.string(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Another process has the database open. */
export class DatabaseLockedError extends SetupError {
  /** What the other process said it is, such as `cms dev`. */
  readonly command: string;

  constructor({ command, pid, since }: Holder) {
    super(
      `the embedded database is in use by "${command}" (process ${pid}, since ${since}). ` +
        "Stop it first, or use a PostgreSQL server by DATABASE_URL: it serves several processes.",
    );
    this.command = command;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
const isThere = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST";

/** When a process started: process numbers are used again, this tells them apart. Null where the system cannot tell. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${pid}/stat`, "utf8");
      // The second field is the name in brackets and may hold anything; the start is the 22nd.
      return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const isAlive = async ({ pid, started }: Holder): Promise<boolean> => {
  if (!isRunning(pid)) return false;
  const actual = await startOf(pid);
  return started === null || actual === null || actual === started;
};

const readHolder = (text: string): Holder | undefined => {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
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

/**
 * Takes the lock `file` for this process and returns the function that gives it back.
 * `command` is what others are told that holds it, such as `cms dev`. Throws {@link DatabaseLockedError} when it is held.
 */
export const takeLock = async (file: string, command: string): Promise<() => Promise<void>> => {
  const own: Holder = {
    pid: process.pid,
    started: await startOf(process.pid),
    command,
    since: new Date().toISOString(),
  };
  const content = JSON.stringify(own);
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(temporary, content);
  try {
    for (;;) {
      try {
        await link(temporary, file);
        return async () => {
          const current = await readFile(file, "utf8").catch(() => "");
          if (current === content) await unlink(file);
        };
      } catch (error) {
        if (!isThere(error)) throw error;
      }
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const holder = readHolder(text);
      if (holder && (await isAlive(holder))) throw new DatabaseLockedError(holder);
      await removeStale(file, text);
    }
  } finally {
    await rm(temporary, { force: true });
  }
};
