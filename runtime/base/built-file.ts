import { createRequire } from "node:module";
import path from "node:path";

/** A file that the build of this package writes into `dist`. */
export const builtFile = (...names: readonly string[]): string =>
  path.join(path.dirname(createRequire(import.meta.url).resolve("galley-cms/package.json")), "dist", ...names);
