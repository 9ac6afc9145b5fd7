/** Writes a migration that was not generated: it has no snapshot, and runs in order with the others. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { namesIn } from "../../migrate/migration.ts";
import { slug, stamp } from "../../migrate/report/title.ts";

export interface OwnMigration {
  readonly up: string;
  readonly down: string;
}

/**
 * Writes `up.sql` and `down.sql` in a new folder of `migrations`, which sorts after all others.
 *
 * @param title words, of which the name of the folder is made
 * @returns the folder
 */
export const writeOwn = (migrations: string, title: string, { up, down }: OwnMigration): string => {
  const folder = path.join(migrations, `${stamp(new Date(), namesIn(migrations).at(-1))}_${slug(title)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "up.sql"), up);
  writeFileSync(path.join(folder, "down.sql"), down);
  return folder;
};
