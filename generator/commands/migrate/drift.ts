/** Refuses to migrate a database whose schema somebody changed by hand. */
import type { Session } from "../../../runtime/database/database.ts";
import { adoptable } from "../../../runtime/database/migrations/adoption.ts";
import { readMigrations } from "../../../runtime/database/migrations/files.ts";
import type { MigrationStatus } from "../../../runtime/database/migrations/migrator.ts";
import { readHistory } from "../../migrate/history/history.ts";
import type { Snapshot } from "../../migrate/snapshot.ts";
import { findDrift } from "../../migrate/tables/drift.ts";
import { refuseFor } from "../exit-codes.ts";

/**
 * The schema that the applied migrations made; undefined if no snapshot tells: when none is applied, when one is half
 * done or has no file, when a later one was applied before an earlier one, or when only some parts of a squashed one
 * are applied, as in a backup taken before its migrations were squashed.
 */
const expected = async (folder: string, { applied, unknown }: MigrationStatus): Promise<Snapshot | undefined> => {
  if (unknown.length > 0 || applied.some(({ finished }) => !finished)) return undefined;
  const names = new Set(applied.map(({ name }) => name));
  for (const [{ name, replaces }, parts] of adoptable(applied, readMigrations(folder))) {
    if (parts.length < replaces.length) return undefined;
    names.add(name);
  }
  const history = readHistory(folder);
  const missing = history.findIndex(({ name }) => !names.has(name));
  const done = missing === -1 ? history : history.slice(0, missing);
  const isGap = missing !== -1 && history.slice(missing).some(({ name }) => names.has(name));
  return isGap ? undefined : done.at(-1)?.snapshot;
};

/** How the database differs from what its migrations made, one difference per line. */
export const driftOf = async (
  session: Session,
  folder: string,
  status: MigrationStatus,
): Promise<readonly string[]> => {
  const snapshot = await expected(folder, status);
  return snapshot ? await findDrift(session, snapshot) : [];
};

export const refuseDrift = async (session: Session, folder: string, status: MigrationStatus): Promise<void> => {
  refuseFor(
    "the database is not what its migrations made of it; nothing was applied:",
    await driftOf(session, folder, status),
    "Fix the database, or migrate it anyway with --ignore-drift.",
  );
};
