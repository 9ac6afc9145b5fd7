/** Prints secrets, and says so where they went into a file that git would take. */
import { execFileSync } from "node:child_process";
import { fstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { err } from "./terminal.ts";

const STDOUT = 1;

/** The file that stdout goes to; the empty text where the system does not tell which, undefined where it is none. */
const fileOfOutput = (): string | undefined => {
  try {
    if (!fstatSync(STDOUT).isFile()) return undefined;
  } catch {
    return undefined;
  }
  try {
    return readlinkSync(`/proc/self/fd/${STDOUT}`);
  } catch {
    return "";
  }
};

/** Whether git leaves a file alone: it is ignored, or stands in no repository. The one that it stands in may be any. */
const isKeptOut = (file: string): boolean => {
  if (file === "") return false;
  try {
    execFileSync("git", ["-C", dirname(file), "check-ignore", "--quiet", "--", file], { stdio: "ignore" });
    return true;
  } catch (error) {
    // 1: it is not ignored. 128: there is no repository. No status: there is no git.
    return !(error instanceof Error && "status" in error && error.status === 1);
  }
};

/** Prints a secret alone to stdout; where that is a file that would be committed, stderr says so. */
export const printSecret = (secret: string): void => {
  process.stdout.write(`${secret}\n`);
  const file = fileOfOutput();
  if (file === undefined || isKeptOut(file)) return;
  process.stderr.write(
    `${err.yellow("!")} The secret is in ${file === "" ? "a file" : file}, which git does not ignore. Keep it out of commits: \`.cms\` is a place that is ignored.\n`,
  );
};
