/** `generated/manifest.json`: which files were generated, and what was in them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";

export const MANIFEST = "manifest.json";

const manifestSchema = z.object({
  /** Version of the package that generated the files. */
  generator: z.string(),
  /** SHA-256 of each file, in hexadecimal digits, by path below the output folder. */
  files: z.record(z.string(), z.string()),
});
export type Manifest = z.output<typeof manifestSchema>;

/** What a file's text is known by; a checkout may have turned its line ends into those of its system. */
export const hashOf = (text: string): string =>
  createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");

/** The manifest in `file`; an empty one where there is none, or none that can be understood. */
export const readManifest = (file: string): Manifest => {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { generator: "", files: {} };
  }
};

/** The text of the manifest for a set of files, one a line, sorted by path. */
export const printManifest = (generator: string, files: readonly { path: string; text: string }[]): string => {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const hashes = Object.fromEntries(sorted.map(({ path, text }) => [path, hashOf(text)]));
  return `${JSON.stringify({ generator, files: hashes }, null, 2)}\n`;
};
