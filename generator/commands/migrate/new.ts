/** `cms migrate new`: an empty pair of files for SQL of the user's own. */
import path from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import { slug } from "../../migrate/report/title.ts";
import { CommandError } from "../exit-codes.ts";
import { writeOwn } from "./write-own.ts";

const UP = (title: string): string => `-- ${title}
--
-- Write SQL here. It runs as one transaction, after the migrations with earlier names.
`;

const DOWN = (title: string): string => `-- ${title}, undone
--
-- Write SQL here that takes back what up.sql did, or delete this file when there is no way back.
`;

export const runNew = async (root: string, name: string): Promise<void> => {
  const { generate } = await loadConfig(root);
  const title = slug(name);
  if (title === "") throw new CommandError(`"${name}" has no letters or digits to name a migration by`);
  const migrations = migrationsFolder(path.resolve(root, generate.to));
  const folder = writeOwn(migrations, name, { up: UP(title), down: DOWN(title) });
  process.stdout.write(`${path.relative(root, folder)}/{up.sql,down.sql}\n`);
};
