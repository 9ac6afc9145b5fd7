/** Migrates the database of a project in development. */
import type { Config } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { adopt } from "../../../runtime/database/migrations/adoption.ts";
import { readMigrations } from "../../../runtime/database/migrations/files.ts";
import { type MigrationStatus, migrate } from "../../../runtime/database/migrations/migrator.ts";
import { readHistory } from "../../migrate/history/history.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import { isForDevelopment } from "../development-database.ts";
import { CommandError } from "../exit-codes.ts";
import { alone } from "../generate/alone.ts";
import type { Project } from "../generate/project.ts";
import { ownOnly } from "../generate/replaceable.ts";
import { namesIn } from "../migrate/applied.ts";
import { noteApplied } from "../migrate/noted.ts";
import { squash } from "../migrate/squash.ts";
import { say } from "../terminal.ts";
import { follow } from "./branches/follow.ts";

const isEmpty = (sql: string): boolean => sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, "").trim() === "";

/** A half-written migration would be applied as it is, and never again. */
const refuseEmpty = ({ pending }: Pick<MigrationStatus, "pending">, folder: string): void => {
  const generated = new Set(readHistory(folder).map(({ name }) => name));
  const empty = pending.filter(({ name, up }) => !generated.has(name) && isEmpty(up));
  if (empty.length === 0) return;
  throw new CommandError(
    empty
      .map(({ name }) => `${name} waits for its statements: write them in its up.sql, or delete its folder`)
      .join("\n"),
  );
};

/** Keeps one migration per branch, however often its schema files are saved. */
const keepOne = async (project: Project, database: Database, folder: string, isStill: () => boolean): Promise<void> => {
  const applied = new Set(await namesIn(database));
  const squashed = await squash(project, applied, (newest) => (isStill() ? ownOnly(project, newest) : []));
  if ("reason" in squashed) return;
  // Nothing else: a merge may have brought migrations by now, which are not for the content of this branch.
  const own = readMigrations(folder).filter(({ name }) => name === squashed.name);
  await adopt(database, own);
  noteApplied(project.root, folder, squashed.name === undefined ? [] : [squashed.name]);
  say(`one migration of ${squashed.replaced.length}: ${squashed.name ?? "none is left"}`);
};

/** Applies the existing migrations to the database and reports what it did. */
export const applyMigrations = async (
  project: Project,
  config: Config,
  database: Database,
  isStill: () => boolean,
): Promise<void> => {
  const { root } = project;
  const folder = migrationsFolder(project.folder);
  const migrateOnly = async () => {
    const applied = await migrate(database, folder, {
      before: async (_session, status) => refuseEmpty(status, folder),
    });
    noteApplied(root, folder, applied);
    return { undone: [], applied };
  };
  // Another `cms dev` may follow the same branch in another terminal.
  await alone(root, "cms dev", async () => {
    const { undone, applied } = isForDevelopment(config)
      ? await follow({ root, database, current: folder, isStill, check: refuseEmpty })
      : await migrateOnly();
    for (const name of undone) say(`undone: ${name}, whose content is set aside`);
    for (const name of applied) say(`migrated: ${name}`);
    if (applied.length > 0 && isStill()) await keepOne(project, database, folder, isStill);
  });
};
