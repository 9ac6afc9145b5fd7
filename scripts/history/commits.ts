/** The commits of a git history that change schema files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

export interface Commit {
  readonly hash: string;
  readonly date: string;
  readonly subject: string;
  /** Changes with the schema files alone. */
  readonly schema: string;
}

const git = (repository: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });

const isSchemaFile = (file: string): boolean =>
  file.endsWith(".json") && /(content-types|components|extensions)\//.test(`/${file}`);

/** The schema files of a commit with the ids of their contents, as one text. */
const schemaAt = (repository: string, hash: string, folder: string): string =>
  git(repository, "ls-tree", "-r", hash, "--", folder)
    .split("\n")
    .filter((line) => isSchemaFile(line.slice(line.indexOf("\t") + 1)))
    .join("\n");

/** Commits of the first parent that change a schema file below `folder`, oldest first. */
export const commitsOf = (repository: string, folder: string): readonly Commit[] => {
  const lines = git(repository, "log", "--reverse", "--first-parent", "--format=%H%x09%as%x09%s", "--", folder);
  const all = lines.split("\n").flatMap((line): Commit[] => {
    const [hash = "", date = "", subject = ""] = line.split("\t");
    return hash === "" ? [] : [{ hash, date, subject, schema: schemaAt(repository, hash, folder) }];
  });
  return all.filter(({ schema }, index) => schema !== "" && schema !== all[index - 1]?.schema);
};

/** Puts the schema files of a commit into `into`, in place of what is there; returns where the folder is then. */
export const checkOut = (repository: string, { hash }: Commit, folder: string, into: string): string => {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const archive = execFileSync("git", ["-C", repository, "archive", hash, "--", folder], { maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", into, "--wildcards", "*.json"], { input: archive });
  return path.join(into, folder);
};
