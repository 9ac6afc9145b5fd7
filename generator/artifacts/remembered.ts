/**
 * Remembers locally (`.cms/cache`) what was printed last and what it was made from, so that a run that changes nothing
 * neither bundles nor builds anything.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { writeCacheFile } from "../../runtime/base/private-folder.ts";

const recordSchema = z.object({
  /** Of everything that is known without running code of the project's. */
  digest: z.string(),
  /** The project's own files that were run, relative to the root, with their texts. */
  inputs: z.record(z.string(), z.string()),
  artifacts: z.array(z.object({ path: z.string(), text: z.string() })),
});
export type ArtifactRecord = z.output<typeof recordSchema>;

const recordFile = (root: string): string => path.join(root, ".cms", "cache", "artifacts");

/** The text of a file; undefined where there is none that can be read. */
export const readIfAny = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/** What was made from exactly this; undefined when anything has changed. */
export const rememberedArtifacts = (root: string, digest: string): ArtifactRecord["artifacts"] | undefined => {
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(recordFile(root), "utf8")));
    const isCurrent =
      record.digest === digest &&
      Object.entries(record.inputs).every(([file, text]) => readIfAny(path.join(root, file)) === text);
    return isCurrent ? record.artifacts : undefined;
  } catch {
    return undefined;
  }
};

/** The texts of the project's own files that were run last, by path; undefined when nothing is remembered. */
export const rememberedInputs = (root: string): ArtifactRecord["inputs"] | undefined => {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(recordFile(root), "utf8"))).inputs;
  } catch {
    return undefined;
  }
};

export const rememberArtifacts = (root: string, record: ArtifactRecord): void =>
  writeCacheFile(recordFile(root), JSON.stringify(record));
