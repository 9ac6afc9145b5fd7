/** CPU time of processes, from /proc (Linux). */
import { readdirSync, readFileSync } from "node:fs";

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended meanwhile.
    return "";
  }
};

const list = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

/** The CPU time of all threads of a process, in microseconds. */
const ofProcess = (pid: string): number =>
  list(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0] ?? 0) / 1000,
    0,
  );

const isChild = (name: string, pid: number): boolean =>
  /^\d+$/.test(name) && read(`/proc/${name}/stat`).split(") ")[1]?.split(" ")[1] === String(pid);

export const childrenOf = (pid: number): readonly number[] =>
  list("/proc")
    .filter((name) => isChild(name, pid))
    .map(Number);

/** The CPU time of a process and its children, in microseconds. */
export const cpuOf = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ofProcess(String(each)), 0);
