/**
 * Remembers locally (`.cms/cache`) what was printed last and what it was made from, so that a run that changes nothing
 * neither bundles nor builds anything.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { writeCacheFile } from "../../runtime/base/private-folder.ts";
import { readText } from "../output/plan.ts";

const recordSchema = z.object({
  /** Of everything that is known without running code of the project's. */
  digest: z.string(),
  /** The project's own files that were run, relative to the root, with their texts. */
  inputs: z.record(z.string(), z.string()),
  artifacts: z.array(z.object({ path: z.string(), text: z.string() })),
});
export type ArtifactRecord = z.output<typeof recordSchema>;

const recordFile = (root: string): string => path.join(root, ".cms", "cache", "artifacts");

const readRecord = (root: string): ArtifactRecord | undefined => {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(recordFile(root), "utf8")));
  } catch {
    return undefined;
  }
};

/** What was made from exactly this; undefined when anything has changed. */
export const rememberedArtifacts = (root: string, digest: string): ArtifactRecord["artifacts"] | undefined => {
  const record = readRecord(root);
  if (record?.digest !== digest) return undefined;
  const isCurrent = Object.entries(record.inputs).every(([file, text]) => readText(path.join(root, file)) === text);
  return isCurrent ? record.artifacts : undefined;
};

/** The texts of the project's own files that were run last, by path; undefined when nothing is remembered. */
export const rememberedInputs = (root: string): ArtifactRecord["inputs"] | undefined => readRecord(root)?.inputs;

export const rememberArtifacts = (root: string, record: ArtifactRecord): void =>
  writeCacheFile(recordFile(root), JSON.stringify(record));
