/** The commits of a git history that change schema files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface Commit {
  readonly hash: string;
  readonly date: string;
  readonly subject: string;
  /** Changes only with the schema files. */
  readonly schema: string;
}

const git = (repository: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });

const isSchemaFile = (file: string): boolean =>
  file.endsWith(".json") && /(content-types|components|extensions)\//.test(`/${file}`);

/** The schema files of a commit with their blob ids, as one text. */
const schemaAt = (repository: string, hash: string, folder: string): string =>
  git(repository, "ls-tree", "-r", hash, "--", folder)
    .split("\n")
    .filter((line) => isSchemaFile(line.slice(line.indexOf("\t") + 1)))
    .join("\n");

/** First-parent commits that change a schema file below `folder`, oldest first. */
export const commitsOf = (repository: string, folder: string): readonly Commit[] => {
  const lines = git(repository, "log", "--reverse", "--first-parent", "--format=%H%x09%as%x09%s", "--", folder);
  const all = lines.split("\n").flatMap((line): Commit[] => {
    const [hash = "", date = "", subject = ""] = line.split("\t");
    return hash === "" ? [] : [{ hash, date, subject, schema: schemaAt(repository, hash, folder) }];
  });
  return all.filter(({ schema }, index) => schema !== "" && schema !== all[index - 1]?.schema);
};

/** The contents of files, in order: a partial clone may lack other files, which an archive would need. */
const contentsOf = (repository: string, files: readonly string[]): readonly Buffer[] => {
  const input = files.map((file) => `${file}\n`).join("");
  const all = execFileSync("git", ["-C", repository, "cat-file", "--batch"], { input, maxBuffer: 1 << 30 });
  let at = 0;
  return files.map(() => {
    const start = all.indexOf("\n", at) + 1;
    const end = start + Number(all.toString("utf8", at, start).trim().split(" ").at(-1));
    at = end + 1;
    return all.subarray(start, end);
  });
};

/** Writes the schema files of a commit into `into`, replacing its contents; returns the resulting folder. */
export const checkOut = (repository: string, { hash }: Commit, folder: string, into: string): string => {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(path.join(into, folder), { recursive: true });
  const files = git(repository, "ls-tree", "-r", "--name-only", hash, "--", folder).split("\n").filter(isSchemaFile);
  const contents = contentsOf(
    repository,
    files.map((file) => `${hash}:${file}`),
  );
  for (const [index, file] of files.entries()) {
    mkdirSync(path.dirname(path.join(into, file)), { recursive: true });
    writeFileSync(path.join(into, file), contents[index] ?? "");
  }
  return path.join(into, folder);
};
