/** Describes the process that holds a lock, and finds out whether it still runs. */
import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { z } from "zod";
import { hasCode } from "../../base/error-code.ts";

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
export const readHolder = (text: string): Holder | undefined => {
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
export const sharesProcesses = (one: Holder, other: Holder): boolean =>
  one.host === other.host && one.boot === other.boot && one.namespace === other.namespace;

/** Whether both run on the same machine, possibly before and after a reboot. */
export const sharesMachine = (one: Holder, other: Holder): boolean =>
  one.host === other.host || (one.boot !== null && one.boot === other.boot);

/** Whether the holder still runs; only valid if {@link sharesProcesses}. */
export const isAlive = async ({ pid, started }: Holder): Promise<boolean> => {
  if (!isRunning(pid)) return false;
  const actual = await startOf(pid);
  return started === null || actual === null || actual === started;
};
