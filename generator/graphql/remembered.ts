/**
 * Remembers locally (`.cms/cache`) the schema that was printed last and what it was made from, so that a run that
 * changes nothing neither bundles nor builds a schema.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const recordSchema = z.object({
  /** Of everything that is known without running code of the project's. */
  digest: z.string(),
  /** The project's own files that were run, relative to the root, with their texts. */
  inputs: z.record(z.string(), z.string()),
  text: z.string(),
});
export type SchemaRecord = z.output<typeof recordSchema>;

const recordFile = (root: string): string => path.join(root, ".cms", "cache", "graphql-schema");

const readOr = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/** The schema that was made from exactly this; undefined when anything has changed. */
export const rememberedSchema = (root: string, digest: string): string | undefined => {
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(recordFile(root), "utf8")));
    const isCurrent =
      record.digest === digest &&
      Object.entries(record.inputs).every(([file, text]) => readOr(path.join(root, file)) === text);
    return isCurrent ? record.text : undefined;
  } catch {
    return undefined;
  }
};

export const rememberSchema = (root: string, record: SchemaRecord): void => {
  mkdirSync(path.dirname(recordFile(root)), { recursive: true });
  writeFileSync(recordFile(root), JSON.stringify(record));
};
