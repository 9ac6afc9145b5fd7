/** Compares what was rendered with what is on disk. Reads, never writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, MANIFEST, printManifest, readManifest } from "./manifest.ts";

export interface OutputFile {
  /** Below the output folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface PlannedFile {
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "keep";
  /** What is on disk; undefined when there is no such file. */
  readonly before: string | undefined;
  /** What will be; undefined when the file goes. */
  readonly after: string | undefined;
  /** The bytes on disk are not those that were generated, so replacing them would lose somebody's work. */
  readonly edited: boolean;
}

/** What a run would do, sorted by path; the manifest is the last. */
export interface OutputPlan {
  readonly files: readonly PlannedFile[];
}

/** The text of a file; undefined when there is none. */
export const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
  }
};

const planWanted = (
  { path, text }: OutputFile,
  before: string | undefined,
  recorded: string | undefined,
): PlannedFile => {
  if (before === undefined) return { path, action: "create", before, after: text, edited: false };
  if (before.replaceAll("\r\n", "\n") === text) return { path, action: "keep", before, after: text, edited: false };
  return { path, action: "update", before, after: text, edited: hashOf(before) !== recorded };
};

const planStale = (path: string, before: string | undefined, recorded: string): readonly PlannedFile[] =>
  before === undefined
    ? []
    : [{ path, action: "delete", before, after: undefined, edited: hashOf(before) !== recorded }];

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

/**
 * @param folder The output folder, absolute.
 * @param wanted Every file that is to be there, without the manifest.
 * @param generator Version of the generator, for the manifest.
 */
export const planOutput = (folder: string, wanted: readonly OutputFile[], generator: string): OutputPlan => {
  const { files: recorded } = readManifest(join(folder, MANIFEST));
  const paths = new Set(wanted.map(({ path }) => path));
  const kept = wanted.map((file) => planWanted(file, readText(join(folder, file.path)), recorded[file.path]));
  const stale = Object.entries(recorded)
    .filter(([path]) => !paths.has(path))
    .flatMap(([path, hash]) => planStale(path, readText(join(folder, path)), hash));
  const manifest = { path: MANIFEST, text: printManifest(generator, wanted) };
  const before = readText(join(folder, MANIFEST));
  // Nobody's work is in the manifest: it is always rewritten.
  const planned = { ...planWanted(manifest, before, undefined), edited: false };
  return { files: [...[...kept, ...stale].toSorted(byPath), planned] };
};

/** The files that a run would touch. */
export const changesOf = ({ files }: OutputPlan): readonly PlannedFile[] =>
  files.filter(({ action }) => action !== "keep");
