/** Who holds a lock, and what can be known of them from here. */
import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { z } from "zod";

const holderSchema = z.object({
  pid: z.number(),
  /** When the process started, as its system tells; null where it cannot tell. */
  started: z.string().nullable(),
  command: z.string(),
  since: z.string(),
  host: z.string().default("an unknown machine"),
  /** Tells one start of the machine from the next; null where the system cannot tell. */
  boot: z.string().nullable().default(null),
  /** In which container, as it were, the number of the process means something; null where there is no such thing. */
  namespace: z.string().nullable().default(null),
});
export type Holder = z.infer<typeof holderSchema>;

/** Reads what a lock file says; undefined when it is not one of ours. */
export const readHolder = (text: string): Holder | undefined => {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

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
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Whether numbers of processes mean the same to both. */
export const sharesProcesses = (one: Holder, other: Holder): boolean =>
  one.host === other.host && one.boot === other.boot && one.namespace === other.namespace;

/** Whether both run on one machine, or on one that was started anew since. */
export const sharesMachine = (one: Holder, other: Holder): boolean =>
  one.host === other.host || (one.boot !== null && one.boot === other.boot);

/** Whether a process that can be seen from here still lives. */
export const isAlive = async ({ pid, started }: Holder): Promise<boolean> => {
  if (!isRunning(pid)) return false;
  const actual = await startOf(pid);
  return started === null || actual === null || actual === started;
};
