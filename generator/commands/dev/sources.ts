/** What `cms dev` watches: every file that the running code was built from, and those whose change may fix an error. */
import { existsSync } from "node:fs";
import path from "node:path";
import { BundleError } from "../../../runtime/app/loader/bundle.ts";
import { CONFIG_FILES } from "../../../runtime/app/loader/load-config.ts";
import { bundledFiles } from "../../../runtime/app/loader/load-module.ts";
import { ConfigError } from "../../../runtime/base/thrown.ts";
import type { Config } from "../../../runtime/config/config.ts";

/** Code and schemas; ignores the files that editors keep beside them. */
const isSource = (file: string): boolean => /\.(?:json|tsx?|mts|js|mjs)$/.test(file);

const isInside = (folder: string, file: string): boolean => file.startsWith(`${folder}${path.sep}`);

/** The nearest existing folder of a missing path. */
const nearest = (file: string): string => (existsSync(file) ? file : nearest(path.dirname(file)));

/** Where a change can fix the code or the configuration. */
const brokenFiles = (error: unknown): readonly string[] => {
  if (error instanceof BundleError) return error.files;
  return error instanceof ConfigError ? brokenFiles(error.cause) : [];
};

export type Sources = ReturnType<typeof createSources>;

export const createSources = (root: string, { generate }: Pick<Config, "generate">) => {
  const from = path.resolve(root, generate.from);
  const generated = path.resolve(root, generate.to);
  const settings = [".env", ...CONFIG_FILES].map((name) => path.join(root, name));
  const bundled = new Set<string>();
  /** Whether it is a generated file, which mostly we ourselves write. */
  const isGenerated = (file: string): boolean => isInside(generated, file);
  return {
    /** What to watch from the start. */
    paths: [from, generated, ...settings],
    /** What else to watch after the code was loaded, or failed to load with `error`. */
    besides(error?: unknown): readonly string[] {
      const own = bundledFiles(root).filter((file) => !isGenerated(file));
      for (const file of own) bundled.add(file);
      const broken = brokenFiles(error).map(nearest);
      return [...own.filter((file) => !isInside(from, file)), ...broken];
    },
    /** Whether a change of the file matters. */
    concerns(file: string, isBroken: boolean): boolean {
      // Anyone may write a migration. Other generated files are ours, unless somebody generated what we could not.
      if (isGenerated(file)) return path.basename(file) === "up.sql" || (isBroken && isSource(file));
      if (settings.includes(file) || bundled.has(file)) return true;
      return isSource(file) && (isBroken || isInside(from, file));
    },
    isGenerated,
  };
};
