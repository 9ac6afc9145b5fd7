/**
 * `generated/.manifest/`: which files were generated, and what was in them. One file for each type and component, so that
 * branches which change different types have no line in common. Of files that all types share it has the names alone:
 * their hashes would change with every type.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** A file below the output folder: its path with forward slashes, and what is or will be in it. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** What is on record of a generated file: the hash of its text, or null where that is not on record. */
export type Manifest = ReadonlyMap<string, string | null>;

const FOLDER = ".manifest";

/** Stands for the type where there is none; no type has a dot in its name. */
const SHARED = ".shared";

/** SHA-256 of each file, in hexadecimal digits, by path below the output folder. */
const recordSchema = z.record(z.string(), z.string().nullable());

/** What a file's text is known by; a checkout may have turned its line ends into those of its system. */
export const hashOf = (text: string): string =>
  createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");

/** Whether a file belongs to no single type or component. */
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

/** A part that cannot be understood, after a merge for example, knows nothing. */
const readPart = (file: string): readonly (readonly [string, string | null])[] => {
  try {
    return Object.entries(recordSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
  } catch {
    return [];
  }
};

/** The manifest in the output folder; an empty one where there is none. */
export const readManifest = (folder: string): Manifest =>
  new Map(manifestFiles(folder).flatMap((file) => readPart(path.join(folder, file))));

/** The files of the manifest for a set of generated files: one file a line, sorted by path. */
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
