/**
 * `generated/.manifest/`: the generated files and their hashes. One manifest file per type and component, so that
 * branches that change different types change no common line. Shared files are listed by name only: their hashes would
 * change with every type.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** A file below the output folder: its path with forward slashes, and its present or future text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** The record of a generated file: the hash of its text, or null if not recorded. */
export type Manifest = ReadonlyMap<string, string | null>;

const FOLDER = ".manifest";

/** Stands for the absence of a type; no type name contains a dot. */
const SHARED = ".shared";

/** Each file's SHA-256 in hexadecimal, by path below the output folder. */
const recordSchema = z.record(z.string(), z.string().nullable());

/** The hash of a file's text, with normalized line endings, as a checkout may have converted them. */
export const hashOf = (text: string): string =>
  createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");

/** Whether a file is shared: it belongs to no single type or component. */
export const isShared = (file: string): boolean => !file.includes("/");

/** `article` of `article/table.ts`, `components/shared/seo` of `components/shared/seo.graphql.ts`. */
const ownerOf = (file: string): string => {
  if (isShared(file)) return SHARED;
  const folder = path.posix.dirname(file);
  return folder.startsWith("components/")
    ? path.posix.join(folder, path.posix.basename(file).split(".")[0] ?? "")
    : folder;
};

/** The files of the manifest in the output folder, relative to it. */
export const manifestFiles = (folder: string): readonly string[] => {
  const root = path.join(folder, FOLDER);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.posix.join(FOLDER, name.split(path.sep).join("/")));
};

/** Treats an unreadable part, for example after a merge, as empty. */
const readPart = (file: string): readonly (readonly [string, string | null])[] => {
  try {
    return Object.entries(recordSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
  } catch {
    return [];
  }
};

/** The manifest in the output folder; empty if there is none. */
export const readManifest = (folder: string): Manifest =>
  new Map(manifestFiles(folder).flatMap((file) => readPart(path.join(folder, file))));

/** The manifest files for a set of generated files: one file per line, sorted by path. */
export const printManifest = (files: readonly OutputFile[]): readonly OutputFile[] => {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const owned = new Map<string, OutputFile[]>();
  for (const file of sorted) {
    const owner = ownerOf(file.path);
    owned.set(owner, [...(owned.get(owner) ?? []), file]);
  }
  return [...owned].map(([owner, own]) => {
    const hashes = own.map((file) => [file.path, isShared(file.path) ? null : hashOf(file.text)]);
    return { path: `${FOLDER}/${owner}.json`, text: `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n` };
  });
};
