/** Which migrations the main branch has, as git knows it. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

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

/** Heads of what everybody has; on another branch than the main one, or where that has no known name, what is committed. */
const sharedCommits = (folder: string): readonly string[] => {
  const refs = [
    "refs/remotes/origin/HEAD",
    ...MAIN.flatMap((name) => [`refs/remotes/origin/${name}`, `refs/heads/${name}`]),
  ];
  const found = refs.filter((ref) => git(folder, "rev-parse", "--quiet", "--verify", `${ref}^{commit}`) !== undefined);
  if (found.length > 0) return found;
  return git(folder, "rev-parse", "--quiet", "--verify", "HEAD") === undefined ? [] : ["HEAD"];
};

/** First parts of paths below the folder that git prints, a line each. */
const namesOf = (printed = ""): ReadonlySet<string> =>
  new Set(printed.split("\n").map((file) => file.split("/")[0] ?? ""));

/** Committed migrations that no commit has touched since the last tag. */
const taggedNames = (folder: string): ReadonlySet<string> => {
  const committed = namesOf(git(folder, "ls-tree", "--name-only", "HEAD", "./"));
  const since = namesOf(
    git(folder, "log", "--format=", "--name-only", "--relative", "HEAD", "--not", "--tags", "--", "."),
  );
  return new Set([...committed].filter((name) => !since.has(name)));
};

/** Whether asking git may find a repository: starting it takes longer than a look into the folders above. */
export const mayBeInRepository = (folder: string): boolean =>
  process.env["GIT_DIR"] !== undefined ||
  existsSync(join(folder, ".git")) ||
  (dirname(folder) !== folder && mayBeInRepository(dirname(folder)));

/**
 * Whether others may have a migration of `folder`: the main branch has it, or a tag, as a release does. Undefined where
 * git does not tell: without a repository, or where it ignores the folder.
 */
export const sharedByGit = (folder: string): ((name: string) => boolean) | undefined => {
  if (!mayBeInRepository(folder)) return undefined;
  if (git(folder, "rev-parse", "--is-inside-work-tree") !== "true") return undefined;
  if (git(folder, "check-ignore", "--quiet", folder) !== undefined) return undefined;
  const names = new Set(
    sharedCommits(folder).flatMap((commit) =>
      (git(folder, "ls-tree", "--name-only", commit, "./") ?? "").split("\n").map((file) => basename(file)),
    ),
  );
  const tagged = taggedNames(folder);
  return (name) => names.has(name) || tagged.has(name);
};
