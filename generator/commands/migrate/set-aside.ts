/** Keeps files that are replaced, so that they are not lost. */
import { mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import { migrationsFolder } from "../../migrate/migration.ts";
import type { Project } from "../generate/project.ts";

/** Moves migrations to a new folder below `.cms/replaced` for `work`; moves them back if it fails. */
export const inPlaceOf = async <Result>(
  { root, folder }: Pick<Project, "root" | "folder">,
  names: readonly string[],
  work: (aside: string) => Result | Promise<Result>,
): Promise<{
  /** Where they are, relative to the root, with forward slashes. */
  readonly place: string;
  readonly result: Result;
}> => {
  const all = path.join(root, ".cms", "replaced");
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const aside = mkdtempSync(path.join(all, `${new Date().toISOString().replaceAll(/\D/g, "")}-`));
  const move = (from: string, to: string) => {
    for (const name of names) renameSync(path.join(from, name), path.join(to, name));
  };
  move(migrationsFolder(folder), aside);
  try {
    return { result: await work(aside), place: path.relative(root, aside).replaceAll("\\", "/") };
  } catch (error) {
    move(aside, migrationsFolder(folder));
    rmdirSync(aside);
    throw error;
  }
};
