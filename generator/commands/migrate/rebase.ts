/** `cms migrate rebase`: after two branches met, the later migration is made anew on top of the other. */
import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { loadConfig } from "../../../runtime/config/load.ts";
import { readApplied } from "../../../runtime/database/migration-record.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { divergence, readHistory } from "../../migrate/history.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import { CommandError } from "../exit-codes.ts";
import { openProject } from "../generate/project.ts";
import { generate } from "../generate/run.ts";

export interface RebaseFlags {
  readonly allow?: readonly string[];
}

/** What the project's database has applied cannot be made anew. */
const refuseApplied = async (root: string, names: readonly string[]): Promise<void> => {
  const config = await loadConfig(root);
  const database = await openDatabase(config, root, "cms migrate rebase");
  try {
    const applied = (await readApplied(database)).map(({ name }) => name).filter((name) => names.includes(name));
    if (applied.length === 0) return;
    throw new CommandError(
      `${applied.join(", ")} ${applied.length === 1 ? "is" : "are"} applied to this database: ` +
        "undo with `cms migrate down` first, or rebase where the other branch's migration is not applied yet",
    );
  } finally {
    await database.close();
  }
};

export const runRebase = async (root: string, { allow }: RebaseFlags): Promise<void> => {
  const project = await openProject(root, undefined);
  const folder = migrationsFolder(project.folder);
  const history = await readHistory(folder);
  const diverged = divergence(history);
  if (!diverged) {
    process.stdout.write("nothing to rebase: every migration follows the one before it\n");
    return;
  }
  const names = history.map(({ name }) => name);
  const later = names.slice(names.indexOf(diverged.second));
  await refuseApplied(root, later);

  const aside = path.join(root, ".cms", "rebased");
  mkdirSync(aside, { recursive: true });
  const move = (from: string, to: string) => {
    for (const name of later) renameSync(path.join(from, name), path.join(to, name));
  };
  move(folder, aside);
  try {
    const { migration, plan } = await generate(project, allow ? { allow } : {});
    if (plan === undefined) throw new CommandError("the schema files have errors: see `cms generate`");
    for (const name of later) process.stdout.write(`- ${project.name}/migrations/${name}/ (kept in .cms/rebased)\n`);
    if (migration) process.stdout.write(`+ ${project.name}/migrations/${migration.name}/ (read up.sql)\n`);
  } catch (error) {
    move(aside, folder);
    throw error;
  }
};
