/** Compares rendered files with those on disk. Reads, never writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, manifestFiles, type OutputFile, printManifest, readManifest } from "./manifest.ts";

export type { OutputFile } from "./manifest.ts";

export interface PlannedFile {
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "keep";
  /** The text on disk; undefined if there is no such file. */
  readonly before: string | undefined;
  /** The new text; undefined if the file is deleted. */
  readonly after: string | undefined;
  /** The file on disk is not as generated, so replacing it would lose somebody's work. */
  readonly edited: boolean;
}

/** The changes of a run, sorted by path; the manifest comes last. */
export interface OutputPlan {
  readonly files: readonly PlannedFile[];
}

/** The text of a file; undefined if it does not exist. */
export const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
  }
};

/** Whether a file's text was generated, so that nobody's work is lost. */
type IsGenerated = (path: string, text: string) => boolean;

const planWanted = ({ path, text }: OutputFile, before: string | undefined, isGenerated: IsGenerated): PlannedFile => {
  if (before === undefined) return { path, action: "create", before, after: text, edited: false };
  if (before.replaceAll("\r\n", "\n") === text) return { path, action: "keep", before, after: text, edited: false };
  return { path, action: "update", before, after: text, edited: !isGenerated(path, before) };
};

const planStale = (path: string, before: string | undefined, isGenerated: IsGenerated): readonly PlannedFile[] =>
  before === undefined
    ? []
    : [{ path, action: "delete", before, after: undefined, edited: !isGenerated(path, before) }];

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

/** The manifest contains nobody's work: it is always rewritten. */
const planManifest = (folder: string, wanted: readonly OutputFile[]): readonly PlannedFile[] => {
  const files = printManifest(wanted);
  const stale = manifestFiles(folder).filter((path) => !files.some((file) => file.path === path));
  const read = (path: string) => readText(join(folder, path));
  return [
    ...files.map((file) => planWanted(file, read(file.path), () => true)),
    ...stale.flatMap((path) => planStale(path, read(path), () => true)),
  ];
};

/**
 * @param folder The output folder, absolute.
 * @param wanted Every file that must exist, without the manifest.
 * @param isKnown Whether a shared file, whose hash is not recorded, contains generated text.
 */
export const planOutput = (
  folder: string,
  wanted: readonly OutputFile[],
  isKnown: (path: string, text: string) => boolean,
): OutputPlan => {
  const recorded = readManifest(folder);
  const isGenerated: IsGenerated = (path, text) => {
    const hash = recorded.get(path);
    return hash === null ? isKnown(path, text) : hash === hashOf(text);
  };
  const paths = new Set(wanted.map(({ path }) => path));
  const kept = wanted.map((file) => planWanted(file, readText(join(folder, file.path)), isGenerated));
  const stale = [...recorded.keys()]
    .filter((path) => !paths.has(path))
    .flatMap((path) => planStale(path, readText(join(folder, path)), isGenerated));
  return { files: [...[...kept, ...stale].toSorted(byPath), ...planManifest(folder, wanted).toSorted(byPath)] };
};

/** The files that a run would touch. */
export const changesOf = ({ files }: OutputPlan): readonly PlannedFile[] =>
  files.filter(({ action }) => action !== "keep");
