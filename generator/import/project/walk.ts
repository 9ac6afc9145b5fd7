/** The files of a project of somebody else: links are not followed, and what is not source is passed over. */
import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** A file that is not looked into, and why. */
export interface PassedOver {
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly why: string;
}

/** What is installed, built or uploaded. Folders whose names begin with a point are left out as well. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "public/uploads", "types/generated"]);

/** More than any source file has that a person wrote. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 50_000;

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);

const isSkipped = (place: string, name: string): boolean =>
  name.startsWith(".") || SKIPPED.has(name) || SKIPPED.has(place);

/** Lists the files below a folder, which is absolute: relative to it, with forward slashes, in the order of names. */
export const walk = (root: string) => {
  const files: string[] = [];
  const passedOver: PassedOver[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true }).toSorted(byName)) {
      const place = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isSkipped(place, entry.name)) continue;
      if (entry.isDirectory()) visit(place);
      else if (entry.isSymbolicLink()) passedOver.push({ file: place, why: "is a link, which is not followed" });
      else if (files.length >= MAX_FILES) passedOver.push({ file: place, why: `comes after ${MAX_FILES} other files` });
      else if (entry.isFile()) files.push(place);
    }
  };
  visit("");
  return { files, passedOver };
};

/** Whether a file is larger than what people write. */
export const isTooLarge = (file: string): boolean => statSync(file).size > MAX_BYTES;
