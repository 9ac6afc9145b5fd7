/** Installed packages: where they are, what they depend on, and how to copy them to another folder. */
import { existsSync } from "node:fs";
import { cp, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const names = z.record(z.string(), z.unknown()).default({});

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Its folder, with symbolic links resolved. */
  readonly folder: string;
  /** The names of all packages that it may import, installed or not. */
  readonly needs: readonly string[];
}

const readPackage = async (folder: string): Promise<InstalledPackage> => {
  const { name, version, dependencies, optionalDependencies, peerDependencies } = manifestSchema.parse(
    JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")),
  );
  const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return { name, version, folder, needs };
};

/** The package name in an import such as `drizzle-orm/pg-core`. */
export const packageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The package `name` as resolved from `folder`; undefined if it is not installed. */
export const findPackage = async (name: string, folder: string): Promise<InstalledPackage | undefined> => {
  const found = path.join(folder, "node_modules", name);
  if (existsSync(path.join(found, "package.json"))) return readPackage(await realpath(found));
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
};

/** The package that a file belongs to; undefined outside `node_modules`. */
export const packageAround = async (file: string): Promise<InstalledPackage | undefined> => {
  const found = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(file)?.[1];
  return found === undefined ? undefined : readPackage(found);
};

/** The source and destination of a copied package. */
interface Placed {
  readonly installed: InstalledPackage;
  readonly folder: string;
}

/**
 * Copies packages and all their dependencies into the `node_modules` of `folder`. If another version is already there,
 * a package goes below its dependent.
 *
 * @returns the copied packages
 */
export const copyPackages = async (
  roots: readonly InstalledPackage[],
  folder: string,
): Promise<readonly InstalledPackage[]> => {
  const placed = new Map<string, InstalledPackage>();
  const waiting: Placed[] = roots.map((installed) => ({ installed, folder }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const place = placeOf(next, folder, placed);
    if (place === undefined) continue;
    const { installed } = next;
    placed.set(place, installed);
    await copyFiles(installed.folder, place);
    for (const name of installed.needs) {
      const needed = await findPackage(name, installed.folder);
      if (needed) waiting.push({ installed: needed, folder: place });
    }
  }
  return [...placed.values()];
};

/** At the top if free, else below its dependent; undefined if it is already at one of these places. */
const placeOf = (
  { installed, folder }: Placed,
  top: string,
  placed: ReadonlyMap<string, InstalledPackage>,
): string | undefined => {
  for (const owner of [top, folder]) {
    const place = path.join(owner, "node_modules", installed.name);
    const there = placed.get(place);
    if (there === undefined) return place;
    if (there.folder === installed.folder) return undefined;
  }
  return undefined;
};

/** Nested packages are copied separately, as far as they are needed. */
const copyFiles = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (source) => path.relative(from, source).split(path.sep)[0] !== "node_modules",
  });
