/**
 * Whether files that all types share hold what was generated: the index and the GraphQL schema change with every type,
 * so a hash of them in the repository would conflict in every merge. What this machine generated it remembers
 * (`.cms/cache`), and what was committed git has.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../../runtime/base/private-folder.ts";
import { hashOf, isShared, type OutputFile } from "./manifest.ts";

/** How many texts are remembered: what an interrupted run, or another branch, left behind is among the last ones. */
const REMEMBERED = 60;

const memory = (root: string): string => path.join(root, ".cms", "cache", "generated");

const readMemory = (root: string): readonly string[] => {
  try {
    return readFileSync(memory(root), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
};

/** The committed text of a file; undefined where git has none. */
const committed = (file: string): string | undefined => {
  try {
    return execFileSync("git", ["-C", path.dirname(file), "show", `HEAD:./${path.basename(file)}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 28,
    });
  } catch {
    return undefined;
  }
};

/** Remembers files that are about to be written into the project at `root`. */
export const rememberShared = (root: string, files: readonly OutputFile[]): void => {
  const before = readMemory(root);
  const hashes = files.filter((file) => isShared(file.path)).map(({ text }) => hashOf(text));
  const fresh = hashes.filter((hash) => !before.includes(hash));
  if (fresh.length === 0) return;
  writePrivateFile(memory(root), `${[...before, ...fresh].slice(-REMEMBERED).join("\n")}\n`);
};

/**
 * Tells, for the project at `root` and its output folder, whether the text of a shared file was generated here or is
 * committed. A project without either, such as a copy that never was in git, has nothing that could tell: then it was.
 */
export const knowsShared = (root: string, folder: string): ((file: string, text: string) => boolean) => {
  const remembered = new Set(readMemory(root));
  return (file, text) => {
    if (remembered.has(hashOf(text))) return true;
    const before = committed(path.join(folder, file));
    return before === undefined ? remembered.size === 0 : hashOf(before) === hashOf(text);
  };
};
