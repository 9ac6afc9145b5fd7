/**
 * Whether shared files contain generated text. The index and the GraphQL schema change with every type, so committed
 * hashes of them would conflict in every merge. This machine remembers what it generated (`.cms/cache`), and git has
 * what was committed.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../../runtime/base/private-folder.ts";
import { hashOf, isShared, type OutputFile } from "./manifest.ts";

/** How many texts to remember: those left by an interrupted run, or another branch, are among the most recent. */
const REMEMBERED = 60;

const memory = (root: string): string => path.join(root, ".cms", "cache", "generated");

const readMemory = (root: string): readonly string[] => {
  try {
    return readFileSync(memory(root), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
};

/** The committed text of a file; undefined if git has none. */
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

/** Remembers files about to be written to the project at `root`. */
export const rememberShared = (root: string, files: readonly OutputFile[]): void => {
  const before = readMemory(root);
  const hashes = files.filter((file) => isShared(file.path)).map(({ text }) => hashOf(text));
  const fresh = hashes.filter((hash) => !before.includes(hash));
  if (fresh.length === 0) return;
  writePrivateFile(memory(root), `${[...before, ...fresh].slice(-REMEMBERED).join("\n")}\n`);
};

/**
 * Returns a function that tells, for the project at `root` and its output folder, whether the text of a shared file was
 * generated here or is committed. In a project without either, such as a copy that was never in git, nothing could
 * tell: then it returns true.
 */
export const knowsShared = (root: string, folder: string): ((file: string, text: string) => boolean) => {
  const remembered = new Set(readMemory(root));
  return (file, text) => {
    if (remembered.has(hashOf(text))) return true;
    const before = committed(path.join(folder, file));
    return before === undefined ? remembered.size === 0 : hashOf(before) === hashOf(text);
  };
};
