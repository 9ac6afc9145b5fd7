/** Packages whose programs run as another user than the one who installed them. */
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Whether every user may enter the folder. */
const everyoneMayEnter = (folder: string): boolean => {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || everyoneMayEnter(parent));
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The package, everything it needs, and of what is optional that which is installed. */
const closure = (modules: string, name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name) || !existsSync(path.join(modules, name))) return found;
  found.add(name);
  const manifest: Manifest = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
  for (const each of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    closure(modules, each, found);
  }
  return found;
};

/**
 * The folder of the package `name`: where it is installed in `modules` or, where other users cannot go there (a checkout
 * in root's home, as in many containers), a copy in `copies`.
 */
export const enterablePackage = (modules: string, name: string, copies: string): string => {
  const installed = path.join(modules, name);
  if (everyoneMayEnter(installed)) return installed;
  for (const each of closure(modules, name)) {
    cpSync(path.join(modules, each), path.join(copies, "node_modules", each), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  return path.join(copies, "node_modules", name);
};
