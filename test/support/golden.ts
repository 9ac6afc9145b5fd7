/** The golden cases whose output is recorded. */
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "../golden");

export const goldenCases: readonly string[] = readdirSync(folder).filter((name) =>
  existsSync(path.join(folder, name, "generated")),
);

export const goldenFolder = (name: string): string => path.join(folder, name);

/** Files below a folder, relative to it, with forward slashes, sorted. */
export const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(root, name)).isFile())
    .map((name) => name.split(path.sep).join("/"))
    .toSorted();
