/** Records the inputs of a bundle, so that an unchanged application starts without bundling. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const buildRecord = z.object({
  /** Digest of the installed packages and where they are. */
  installation: z.string(),
  /** Names of the files of the build, first the bundle. */
  files: z.tuple([z.string()], z.string()),
  /** Digests of all files in the bundle, by path relative to the root. */
  inputs: z.record(z.string(), z.string()),
});
export type BuildRecord = z.output<typeof buildRecord>;

// Reading hundreds of small files synchronously takes a fraction of the time, as it avoids the thread pool.
const digest = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("base64url");

/**
 * Digests of the inputs of a build that began at `startedAt` (milliseconds). A file that has been written since may
 * differ from what was bundled, so it gets an empty digest, which never matches.
 */
export const digestInputs = (root: string, inputs: readonly string[], startedAt: number) =>
  Object.fromEntries(
    inputs.map((input) => {
      const file = path.resolve(root, input);
      return [input, statSync(file).mtimeMs < startedAt ? digest(file) : ""] as const;
    }),
  );

/** The record in `file`; undefined if it is missing or not valid. */
export const readRecord = (file: string): BuildRecord | undefined => {
  try {
    // Compiling the checks does not pay off for a single record.
    return buildRecord.parse(JSON.parse(readFileSync(file, "utf8")), { jitless: true });
  } catch {
    return undefined;
  }
};

/** Whether all inputs are unchanged. */
export const isCurrent = (root: string, record: BuildRecord): boolean => {
  try {
    return Object.entries(record.inputs).every(([input, expected]) => digest(path.resolve(root, input)) === expected);
  } catch {
    return false;
  }
};
