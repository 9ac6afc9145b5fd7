/** What `cms import` was given: it tells by itself. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isDatabaseAddress } from "../../transfer/address.ts";

/** A project's folder, or content: what `strapi export` wrote, or a database. */
export type SourceKind = "project" | "content";

/** The absolute path; the address of a database stays as it is. */
export const placeOf = (what: string): string => (isDatabaseAddress(what) ? what : path.resolve(what));

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Tells what stands at a place. What is no folder is content, whose bytes say of which kind. */
export const kindOf = (place: string): SourceKind => {
  if (!isFolder(place) || existsSync(path.join(place, "metadata.json"))) return "content";
  return isFolder(path.join(place, "src")) || isFolder(path.join(place, "config")) ? "project" : "content";
};
