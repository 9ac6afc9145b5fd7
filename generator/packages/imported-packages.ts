/**
 * The packages that generated files import. With a strict node_modules (pnpm, Yarn, Bun) a project can import only what
 * it declares, so it declares them too, in the versions that galley-cms depends on.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { hasCode } from "../../runtime/base/thrown.ts";
import type { OutputFile } from "../output/plan.ts";

const names = ["drizzle-orm", "zod"] as const;

const manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) });

/** A project's declarations: `galley-cms` and the packages that generated files import, exact versions by name. */
export const neededPackages = (): Readonly<Record<string, string>> => {
  const own = new URL(import.meta.resolve("galley-cms/package.json"));
  const { version, dependencies } = manifest.parse(JSON.parse(readFileSync(own, "utf8")));
  const imported = names.map((name) => [name, dependencies[name] ?? "latest"] as const);
  return { "galley-cms": version, ...Object.fromEntries(imported) };
};

/** Whether an import in `folder` resolves: to a node_modules there or in a parent, as editors look for it. */
const finds = (name: string, folder: string): boolean => {
  if (process.versions["pnp"] !== undefined) return findsByPnp(name, folder);
  if (existsSync(path.join(folder, "node_modules", name, "package.json"))) return true;
  const parent = path.dirname(folder);
  return parent !== folder && finds(name, parent);
};

/**
 * Yarn without node_modules resolves imports in Node's place. Elsewhere, asking Node would find too much, because of
 * NODE_PATH.
 */
const findsByPnp = (name: string, folder: string): boolean => {
  try {
    createRequire(path.join(folder, "index.js")).resolve(name);
    return true;
  } catch (error) {
    // The package exists, but cannot be imported by its bare name.
    return hasCode(error, "ERR_PACKAGE_PATH_NOT_EXPORTED");
  }
};

/** Whether the project at `folder` can resolve everything that it needs. */
export const isInstalled = (folder: string): boolean =>
  Object.keys(neededPackages()).every((name) => finds(name, folder));

/**
 * Packages that rendered files import and that do not resolve from `folder`, as `name@version`. Empty if `galley-cms`
 * itself does not resolve: then nothing is installed yet, or types are not checked.
 */
export const missingPackages = (folder: string, rendered: readonly OutputFile[]): readonly string[] => {
  if (!finds("galley-cms", folder)) return [];
  const needed = neededPackages();
  const imported = names.filter((name) => rendered.some(({ text }) => text.includes(` from "${name}`)));
  return imported.filter((name) => !finds(name, folder)).map((name) => `${name}@${needed[name]}`);
};
