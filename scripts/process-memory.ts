/** The memory of processes, from /proc (Linux), in megabytes. */
import { readFileSync } from "node:fs";

const read = (pid: number, name: "VmRSS" | "VmHWM"): number => {
  try {
    const [, kilobytes] =
      new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return (Number(kilobytes ?? 0) * 1024) / 1_000_000;
  } catch {
    // The process has ended.
    return 0;
  }
};

/** The resident memory of a process; 0 after its end. */
export const residentOf = (pid: number): number => read(pid, "VmRSS");

/** The peak memory of a process so far; 0 after its end. */
export const peakOf = (pid: number): number => read(pid, "VmHWM");
