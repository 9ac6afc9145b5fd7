/** Which migrations the main branch has, as git knows it. */
import { execFileSync } from "node:child_process";
import { basename } from "node:path";

const MAIN = ["main", "master"];

/** What git prints; undefined where there is no git, no repository, or no such thing in it. */
const git = (folder: string, ...args: readonly string[]): string | undefined => {
  try {
    return execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
};

/** Commits that stand for the main branch. On that branch itself it is what was there before the merge. */
const mainCommits = (folder: string): readonly string[] => {
  const exists = (ref: string): boolean =>
    git(folder, "rev-parse", "--quiet", "--verify", `${ref}^{commit}`) !== undefined;
  if (MAIN.includes(git(folder, "symbolic-ref", "--short", "HEAD") ?? "")) {
    if (exists("MERGE_HEAD")) return ["HEAD"];
    if (exists("HEAD^2")) return ["HEAD^1"];
  }
  return MAIN.flatMap((name) => [`refs/remotes/origin/${name}`, `refs/heads/${name}`]).filter(exists);
};

/** Names of the migrations in `folder` that the main branch has; none where git does not tell. */
export const namesInMain = (folder: string): ReadonlySet<string> =>
  new Set(
    mainCommits(folder).flatMap((commit) =>
      (git(folder, "ls-tree", "--name-only", commit, "./") ?? "").split("\n").map((file) => basename(file)),
    ),
  );
