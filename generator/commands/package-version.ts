import { readFileSync } from "node:fs";

/** The version of this package. */
export const packageVersion = (): string => {
  const manifest = new URL(import.meta.resolve("galley-cms/package.json"));
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
};
