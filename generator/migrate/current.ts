/**
 * Remembers locally (`.cms/cache`) what the newest migration was made from, so that a run that changes nothing neither
 * bundles nor compares.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const cacheFile = (root: string): string => path.join(root, ".cms", "cache", "migrations");

/** The text of a module of ours and of all that it imports from beside it. */
const moduleTexts = (file: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, "utf8");
  seen.set(file, text);
  for (const [, specifier] of text.matchAll(/from "(\.[^"]+)"/g)) {
    if (specifier !== undefined) moduleTexts(path.resolve(path.dirname(file), specifier), seen);
  }
  return seen;
};

/** The runtime's own tables as they are installed. */
const systemTexts = (): readonly string[] => [
  ...moduleTexts(fileURLToPath(import.meta.resolve("galley-cms/system-tables"))).values(),
];

/** Changes with anything that a migration is planned from. */
export const digestOf = (parts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const part of [...parts, ...systemTexts()]) hash.update(`${part.length}:${part}`);
  return hash.digest("hex");
};

export const isRemembered = (root: string, digest: string): boolean => {
  try {
    return readFileSync(cacheFile(root), "utf8") === digest;
  } catch {
    return false;
  }
};

export const remember = (root: string, digest: string): void => {
  mkdirSync(path.dirname(cacheFile(root)), { recursive: true });
  writeFileSync(cacheFile(root), digest);
};
