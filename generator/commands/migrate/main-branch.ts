/** Which migrations the main branch has, according to git. */
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const MAIN = ["main", "master"];
const TAGS = "refs/tags/";
const MAIN_REFS = MAIN.flatMap((name) => [`refs/remotes/origin/${name}`, `refs/heads/${name}`]);

/** Git's output; undefined if there is no git, no repository, or no such object. */
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

/** The commits that exist. */
const existing = (folder: string, commits: readonly string[]): readonly string[] =>
  commits.filter((commit) => git(folder, "rev-parse", "--quiet", "--verify", `${commit}^{commit}`) !== undefined);

/** The refs that exist; a pattern that ends in a slash names all refs below. */
const refsOf = (folder: string, ...patterns: readonly string[]): readonly string[] =>
  (git(folder, "for-each-ref", "--format=%(refname)", ...patterns) ?? "").split("\n").filter(Boolean);

/** First parts of the paths below the folder that git prints, one per line. */
const namesOf = (printed = ""): ReadonlySet<string> =>
  new Set(printed.split("\n").map((file) => file.split("/")[0] ?? ""));

const namesIn = (folder: string, commits: readonly string[]): ReadonlySet<string> =>
  new Set(commits.flatMap((commit) => [...namesOf(git(folder, "ls-tree", "--name-only", commit, "./"))]));

/** Names of the migrations committed on the checked-out branch. */
export const committedNames = (folder: string): ReadonlySet<string> => namesIn(folder, ["HEAD"]);

/** Commits that stand for the main branch. On that branch itself, its state before the merge. */
const mainCommits = (folder: string): readonly string[] => {
  if (MAIN.includes(git(folder, "symbolic-ref", "--short", "HEAD") ?? "")) {
    if (existing(folder, ["MERGE_HEAD"]).length > 0) return ["HEAD"];
    if (existing(folder, ["HEAD^2"]).length > 0) return ["HEAD^1"];
  }
  return refsOf(folder, ...MAIN_REFS);
};

/** Names of the migrations in `folder` that the main branch has; none if git cannot tell. */
export const namesInMain = (folder: string): ReadonlySet<string> => namesIn(folder, mainCommits(folder));

/** Milliseconds after which a git lock counts as left behind by a killed process. */
const LEFT_BEHIND = 10_000;

/** The commits in the files, two during a merge; undefined while git is writing files, for example during a checkout. */
export const checkedOut = (folder: string): string | undefined => {
  const files = ["index.lock", "MERGE_HEAD"].flatMap((file) => ["--git-path", file]);
  const asked = ["rev-parse", ...files, "HEAD", "--symbolic-full-name", "HEAD"];
  const [lock = "", merged = "", ...head] = (mayBeInRepository(folder) && git(folder, ...asked)?.split("\n")) || [];
  const stat = (file: string) => (file === "" ? undefined : statSync(resolve(folder, file), { throwIfNoEntry: false }));
  const isWriting = (stat(lock)?.mtimeMs ?? 0) > Date.now() - LEFT_BEHIND;
  return isWriting ? undefined : [...head, ...(stat(merged) ? ["merging"] : [])].join(" ");
};

/** Committed migrations that no commit has changed since the last tag. */
const taggedNames = (folder: string): ReadonlySet<string> => {
  const committed = committedNames(folder);
  const since = namesOf(
    git(folder, "log", "--format=", "--name-only", "--relative", "HEAD", "--not", "--tags", "--", "."),
  );
  return new Set([...committed].filter((name) => !since.has(name)));
};

/** Whether git may find a repository: starting it takes longer than looking through the parent folders. */
export const mayBeInRepository = (folder: string): boolean =>
  process.env["GIT_DIR"] !== undefined ||
  existsSync(join(folder, ".git")) ||
  (dirname(folder) !== folder && mayBeInRepository(dirname(folder)));

/**
 * Whether others may have a migration of `folder`: the main branch or a tag (such as a release) has it. Undefined if
 * git cannot tell: without a repository, or if it ignores the folder.
 */
export const sharedByGit = (folder: string): ((name: string) => boolean) | undefined => {
  if (!mayBeInRepository(folder)) return undefined;
  if (git(folder, "rev-parse", "--is-inside-work-tree") !== "true") return undefined;
  if (git(folder, "check-ignore", "--quiet", folder) !== undefined) return undefined;
  const refs = refsOf(folder, "refs/remotes/origin/HEAD", ...MAIN_REFS, TAGS);
  const heads = refs.filter((ref) => !ref.startsWith(TAGS));
  // On another branch, or if main has no known name, what is committed.
  const names = namesIn(folder, heads.length > 0 ? heads : ["HEAD"]);
  const tagged = refs.length > heads.length ? taggedNames(folder) : new Set();
  return (name) => names.has(name) || tagged.has(name);
};
