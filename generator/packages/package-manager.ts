/** Detects a project's package manager, and the syntax of its commands. */
import { existsSync } from "node:fs";
import path from "node:path";

/** How it installs the dependencies in package.json, adds packages in exact versions, and runs the program of one. */
export type PackageManager = Readonly<Record<"install" | "add" | "run", string>>;

const npm: PackageManager = { install: "npm install", add: "npm install --save-exact", run: "npx" };
const pnpm: PackageManager = { install: "pnpm install", add: "pnpm add --save-exact", run: "pnpm exec" };
const yarn: PackageManager = { install: "yarn install", add: "yarn add --exact", run: "yarn" };
const bun: PackageManager = { install: "bun install", add: "bun add --exact", run: "bunx" };

const byLockFile: readonly (readonly [string, PackageManager])[] = [
  ["pnpm-lock.yaml", pnpm],
  ["yarn.lock", yarn],
  ["bun.lock", bun],
  ["bun.lockb", bun],
  ["package-lock.json", npm],
];

/** The package manager with the nearest lock file: in `folder`, or in a parent if it is part of a workspace. */
export const packageManagerOf = (folder: string): PackageManager => {
  const found = byLockFile.find(([file]) => existsSync(path.join(folder, file)));
  if (found) return found[1];
  const parent = path.dirname(folder);
  return parent === folder ? npm : packageManagerOf(parent);
};
