/** Installed packages: where they are, what they need, and how they get into another folder. */
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
  /** Its folder, without symbolic links. */
  readonly folder: string;
  /** The names of all that it may import, whether or not it is installed. */
  readonly needs: readonly string[];
}

const readPackage = async (folder: string): Promise<InstalledPackage> => {
  const { name, version, dependencies, optionalDependencies, peerDependencies } = manifestSchema.parse(
    JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")),
  );
  const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return { name, version, folder, needs };
};

/** The name of the package that an import such as `drizzle-orm/pg-core` names. */
export const packageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The package `name` as code in `folder` finds it; undefined where it is not installed. */
export const findPackage = async (name: string, folder: string): Promise<InstalledPackage | undefined> => {
  const found = path.join(folder, "node_modules", name);
  if (existsSync(path.join(found, "package.json"))) return readPackage(await realpath(found));
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
};

/** The package that a file is part of; undefined for files outside of `node_modules`. */
export const packageAround = async (file: string): Promise<InstalledPackage | undefined> => {
  const found = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(file)?.[1];
  return found === undefined ? undefined : readPackage(found);
};

/** Where a package that is copied goes, and where from. */
interface Placed {
  readonly installed: InstalledPackage;
  readonly folder: string;
}

/**
 * Copies packages into the `node_modules` of `folder`, with everything they need. One that is there in another version
 * already goes below the package that needs it.
 *
 * @returns what was copied
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

/** At the top where it is free, else below who needs it; undefined when it stands in one of these places already. */
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

/** What is installed below a package is copied by itself, as far as it is needed. */
const copyFiles = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (source) => path.relative(from, source).split(path.sep)[0] !== "node_modules",
  });
