import { createRequire } from "node:module";
import path from "node:path";

/** The folder of this package. */
export const packageFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve("galley-cms/package.json"));

/** A file that the build of this package writes into `dist`. */
export const builtFile = (...names: readonly string[]): string => path.join(packageFolder(), "dist", ...names);
