/** Keeps what takes the place of something else from being the end of that. */
import { mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import { migrationsFolder } from "../../migrate/migration.ts";
import type { Project } from "../generate/project.ts";

export interface Aside {
  /** Where they are, relative to the root, with forward slashes. */
  readonly place: string;
  /** Puts them back. */
  undo(): void;
}

/** Moves migrations into a new folder below `.cms/replaced`. */
export const setAside = ({ root, folder }: Pick<Project, "root" | "folder">, names: readonly string[]): Aside => {
  const all = path.join(root, ".cms", "replaced");
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const aside = mkdtempSync(path.join(all, `${new Date().toISOString().replaceAll(/\D/g, "")}-`));
  const move = (from: string, to: string) => {
    for (const name of names) renameSync(path.join(from, name), path.join(to, name));
  };
  move(migrationsFolder(folder), aside);
  return {
    place: path.relative(root, aside).replaceAll("\\", "/"),
    undo() {
      move(aside, migrationsFolder(folder));
      rmdirSync(aside);
    },
  };
};

/** Does `work` with migrations set aside; they come back where it fails. */
export const inPlaceOf = (
  project: Pick<Project, "root" | "folder">,
  names: readonly string[],
  work: () => void,
): string => {
  const aside = setAside(project, names);
  try {
    work();
    return aside.place;
  } catch (error) {
    aside.undo();
    throw error;
  }
};
