/** Digests that tell whether something has to be made anew. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const withImports = (file: string, seen: Map<string, string>): ReadonlyMap<string, string> => {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, "utf8");
  seen.set(file, text);
  for (const [, specifier] of text.matchAll(/^(?:import|export|\}) .*from "(\.[^"]+)";$/gm)) {
    if (specifier !== undefined) withImports(path.resolve(path.dirname(file), specifier), seen);
  }
  return seen;
};

/** The text of a module of ours, given by its address, and of all that it imports from beside it. */
export const moduleTexts = (address: string): readonly string[] => [
  ...withImports(fileURLToPath(address), new Map()).values(),
];

/** Changes with any of the parts. */
export const digestOf = (parts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("hex");
};
