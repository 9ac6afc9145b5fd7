/** What `cms import` was given: it tells by itself. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";

/** A project's folder, or what `strapi export` wrote. */
export type SourceKind = "project" | "archive";

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Tells what stands at a place. What is no folder is an archive, whose bytes say of which kind. */
export const kindOf = (place: string): SourceKind => {
  if (!isFolder(place) || existsSync(path.join(place, "metadata.json"))) return "archive";
  return isFolder(path.join(place, "src")) || isFolder(path.join(place, "config")) ? "project" : "archive";
};
