/** Brings a development database, with its content, to the migrations of the checked-out branch. */
import { cpSync, existsSync, rmSync } from "node:fs";
import path from "node:path";
import type { Database } from "../../../../runtime/database/database.ts";
import { adoptable } from "../../../../runtime/database/migrations/adoption.ts";
import { readMigrations } from "../../../../runtime/database/migrations/files.ts";
import * as migrator from "../../../../runtime/database/migrations/migrator.ts";
import { MigrationError } from "../../../../runtime/database/migrations/record.ts";
import { divergence, newestSnapshot, readHistory, type Recorded } from "../../../migrate/history/history.ts";
import { refusalOf } from "../../../migrate/migration.ts";
import { CommandError } from "../../exit-codes.ts";
import { committedNames } from "../../migrate/main-branch.ts";
import { appliedFolder, noteApplied, noteUndone, readNote } from "../../migrate/noted.ts";
import { beginTransition, clearContent, endTransition } from "./transition.ts";

/** Days for which content is kept that no checked-out branch has a place for. */
const DAYS = 30;

/** Stores for content that is set aside, and for a copy of tables about to change. */
const TABLES = `create table if not exists galley_set_aside (
  tab text, key text, aside text not null, at timestamptz not null default now(), primary key (tab, key));
create table if not exists galley_before (tab text, key text, "row" text, primary key (tab, key));
delete from galley_set_aside where at < now() - interval '${DAYS} days';`;

/** A copy of the checked-out migrations, since another branch may be checked out while they run. */
const copyMigrations = (root: string, folder: string): string => {
  const copy = path.join(root, ".cms", "checked-out");
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(folder)) cpSync(folder, copy, { recursive: true });
  return copy;
};

/** Applied migrations that must stay: all before the first one that has no files. */
const namesThatStay = (status: migrator.MigrationStatus, folder: string): readonly string[] => {
  const parts = adoptable(status.applied, readMigrations(folder))
    .filter(([{ replaces }, found]) => found.length < replaces.length)
    .flatMap(([, found]) => found.map(({ name }) => name));
  const foreign = new Set([...status.unknown, ...status.edited, ...parts]);
  const names = status.applied.map(({ name }) => name);
  const first = names.findIndex((name) => foreign.has(name));
  return first === -1 ? names : names.slice(0, first);
};

type History = readonly Recorded[];

const only = (history: History, names: readonly string[]): History =>
  history.filter(({ name }) => names.includes(name));

/** Reads one line of migrations: a merge may have brought another branch's since the schema files were read. */
const readLine = (folder: string): History => {
  const history = readHistory(folder);
  const diverged = divergence(history);
  if (diverged) throw new CommandError(refusalOf({ kind: "diverged", ...diverged }) ?? "");
  return history;
};

/** The record is lost if a process ends before it is written, or with the folder `.cms`. */
const noteMissing = (root: string, folder: string, { applied, edited }: migrator.MigrationStatus): void => {
  const known = new Set([...readNote(root), ...edited]);
  noteApplied(
    root,
    folder,
    applied.map(({ name }) => name).filter((name) => !known.has(name)),
  );
};

export interface Followed {
  readonly root: string;
  readonly database: Database;
  /** The folder of the migrations. */
  readonly current: string;
  readonly isStill: () => boolean;
  /** Throws if what is to be applied must not be yet: of the copy, as somebody may be writing a migration. */
  readonly check: (status: migrator.MigrationStatus, folder: string) => void;
}

/**
 * Undoes migrations that have no files and applies those that the database lacks. Content without a place is set aside
 * in the database and comes back when there is a place for it again.
 */
export const follow = async ({ root, database, current, isStill, check }: Followed) => {
  await database.script(TABLES);
  const [folder, files] = [copyMigrations(root, current), appliedFolder(root)];
  if (!isStill()) throw new CommandError("another branch was checked out meanwhile");
  const wanted = readLine(folder);
  const status = await migrator.migrationStatus(database, folder);
  check(status, folder);
  noteMissing(root, folder, status);
  const [names, stay] = [status.applied.map(({ name }) => name), namesThatStay(status, folder)];
  const done = readHistory(files);
  const [before, after] = [newestSnapshot(only(done, names)), newestSnapshot(wanted)];
  const others = [newestSnapshot(only(done, stay)), after];
  const [count, pending] = [names.length - stay.length, status.pending.map(({ name }) => name)];
  // One migration may remove what the next one adds again.
  const passed = () =>
    [...only(done, names.slice(stay.length)), ...only(wanted, pending)].map(({ snapshot }) => snapshot);
  const committed = committedNames(current);
  const isSwitched = count > 0 || pending.some((name) => committed.has(name));
  // A migration that content blocks is retried after that content is set aside.
  const run = (work: () => Promise<readonly string[]>): Promise<readonly string[]> =>
    work().catch(async (error: unknown) => {
      if (!isSwitched || !(error instanceof MigrationError) || error.cause === undefined) throw error;
      await clearContent(database, others);
      return work();
    });
  if (count + pending.length > 0) await beginTransition(database, before, [...others, ...passed()], count > 0);
  const undone = count === 0 ? [] : await run(() => migrator.migrateDown(database, files, { count }));
  noteUndone(root, undone);
  const applied: string[] = [];
  const onAdopt = (name: string) => noteApplied(root, folder, [name]);
  // One by one: a later one may fail.
  const onEnd = async (_session: unknown, name: string) => {
    noteApplied(root, folder, [name]);
    applied.push(name);
  };
  await run(() => migrator.migrate(database, folder, { onAdopt, onEnd }));
  await endTransition(database, after);
  return { undone, applied };
};
