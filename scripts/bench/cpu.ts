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

/** The CPU time of a process and its children, in microseconds. */
export const cpuOf = (pid: number): number => {
  const children = list("/proc").filter(
    (name) => /^\d+$/.test(name) && read(`/proc/${name}/stat`).split(") ")[1]?.split(" ")[1] === String(pid),
  );
  return [String(pid), ...children].reduce((sum, each) => sum + ofProcess(each), 0);
};
