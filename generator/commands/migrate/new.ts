/** `cms migrate new`, and all else that writes migrations by hand: those have no snapshot and run in order. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { migrationsFolder, namesIn } from "../../migrate/migration.ts";
import { slug, stamp } from "../../migrate/report/title.ts";
import { CommandError } from "../exit-codes.ts";

/**
 * Writes `up.sql` and `down.sql` to a new folder of `migrations` that sorts last.
 *
 * @param title words from which the folder gets its name
 * @returns the folder
 */
export const writeOwn = (
  migrations: string,
  title: string,
  sql: { readonly up: string; readonly down: string },
): string => {
  const folder = path.join(migrations, `${stamp(new Date(), namesIn(migrations).at(-1))}_${slug(title)}`);
  mkdirSync(folder, { recursive: true });
  for (const way of ["up", "down"] as const) writeFileSync(path.join(folder, `${way}.sql`), sql[way]);
  return folder;
};

const UP = (title: string): string => `-- ${title}
--
-- Write SQL here. It runs as one transaction, after the migrations with earlier names.
`;

const DOWN = (title: string): string => `-- ${title}, undone
--
-- Write SQL here that takes back what up.sql did, or delete this file when there is no way back.
`;

/** Writes an empty pair of files for hand-written SQL. */
export const runNew = async (root: string, name: string): Promise<void> => {
  const { generate } = await loadConfig(root);
  const title = slug(name);
  if (title === "") throw new CommandError(`"${name}" has no letters or digits to name a migration by`);
  const migrations = migrationsFolder(path.resolve(root, generate.to));
  const folder = writeOwn(migrations, name, { up: UP(title), down: DOWN(title) });
  process.stdout.write(`${path.relative(root, folder)}/{up.sql,down.sql}\n`);
};
