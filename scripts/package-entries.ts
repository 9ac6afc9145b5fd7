/** The package's exports: each specifier with its source file. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string().optional() })])),
});

export interface PackageEntry {
  /** `galley-cms/columns`. */
  readonly specifier: string;
  /** `runtime/schema/columns.ts`, relative to the repository. */
  readonly source: string;
}

/** The modules that `package.json` in `root` exports. */
export const packageEntries = (root: string): readonly PackageEntry[] => {
  const { name, exports } = manifest.parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));
  return Object.entries(exports).flatMap(([key, target]) =>
    // An entry of types alone has no module: `galley-cms/panel` is a part of the panel.
    typeof target === "string" || target.default === undefined
      ? []
      : [
          {
            specifier: path.posix.join(name, key),
            source: target.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"),
          },
        ],
  );
};
