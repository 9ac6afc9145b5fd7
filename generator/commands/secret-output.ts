/** Prints secrets, and warns if they went to a file that git would commit. */
import { execFileSync } from "node:child_process";
import { fstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { err } from "./terminal.ts";

const STDOUT = 1;

/** The file that stdout is redirected to; empty if the system does not tell which, undefined if it is not a file. */
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

/**
 * Whether git leaves a file alone: it is ignored, or in no repository. Any repository that contains the file counts.
 */
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

/** Prints only the secret to stdout; if that is a file that git would commit, warns on stderr. */
export const printSecret = (secret: string): void => {
  process.stdout.write(`${secret}\n`);
  const file = fileOfOutput();
  if (file === undefined || isKeptOut(file)) return;
  process.stderr.write(
    `${err.yellow("!")} The secret is in ${file === "" ? "a file" : file}, which git does not ignore. Keep it out of commits: \`.cms\` is a place that is ignored.\n`,
  );
};
