/** Records what a bundle was made from, so that an unchanged application starts without bundling. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
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

const digest = async (file: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("base64url");

/**
 * Digests of the inputs of a build that began at `startedAt` (milliseconds). A file that has been written since may
 * differ from what was bundled, so it gets an empty digest, which never matches.
 */
export const digestInputs = async (root: string, inputs: readonly string[], startedAt: number) =>
  Object.fromEntries(
    await Promise.all(
      inputs.map(async (input) => {
        const file = path.resolve(root, input);
        const { mtimeMs } = await stat(file);
        return [input, mtimeMs < startedAt ? await digest(file) : ""] as const;
      }),
    ),
  );

/** The record in `file`; undefined if it is missing or not valid. */
export const readRecord = async (file: string): Promise<BuildRecord | undefined> => {
  try {
    return buildRecord.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
};

/** Whether all inputs are unchanged. */
export const isCurrent = async (root: string, record: BuildRecord): Promise<boolean> => {
  const checks = Object.entries(record.inputs).map(
    async ([input, expected]) => (await digest(path.resolve(root, input))) === expected,
  );
  try {
    return (await Promise.all(checks)).every(Boolean);
  } catch {
    return false;
  }
};
