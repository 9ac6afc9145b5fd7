/** Migrations that replace several others (squashed): if those are applied, the replacement counts as applied too. */
import type { Session } from "../database.ts";
import type { Migration } from "./files.ts";
import { type Applied, MigrationError, readApplied, recordReplaced } from "./record.ts";

/** The names of all migrations that others replace. */
export const replacedNames = (migrations: readonly Migration[]): ReadonlySet<string> =>
  new Set(migrations.flatMap(({ replaces }) => replaces));

/** Replacements that are not applied themselves, but of which at least one part is; with those parts. */
export const adoptable = (
  applied: readonly Applied[],
  migrations: readonly Migration[],
): readonly (readonly [migration: Migration, parts: readonly Applied[]])[] =>
  migrations.flatMap((migration): readonly (readonly [Migration, readonly Applied[]])[] => {
    if (migration.replaces.length === 0 || applied.some(({ name }) => name === migration.name)) return [];
    const parts = applied.filter(({ name }) => migration.replaces.includes(name));
    return parts.length === 0 ? [] : [[migration, parts]];
  });

/** Refuses a replacement of which only some parts are applied. */
export const refuseParts = ({ name, replaces }: Migration, parts: readonly Applied[]): void => {
  const done = new Set(parts.filter(({ finished }) => finished).map((each) => each.name));
  const open = replaces.filter((each) => !done.has(each));
  if (open.length === 0) return;
  throw new MigrationError(
    `${name} was made of ${replaces.join(", ")}, of which ${open.join(", ")} ${open.length === 1 ? "is" : "are"} not ` +
      "applied here. Go back to where these are files, apply them with `cms migrate` or undo the others with " +
      "`cms migrate down`, and come again.",
  );
};

/** Called in the transaction that records a replacement as applied because those that it replaces are. */
export type OnAdopt = (name: string, replaced: readonly string[], session: Session) => Promise<void> | void;

/** Records replacements as applied where all their parts are. Changes only the record, not the tables. */
export const adopt = async (session: Session, migrations: readonly Migration[], onAdopt?: OnAdopt): Promise<void> => {
  for (const [migration, parts] of adoptable(await readApplied(session), migrations)) {
    refuseParts(migration, parts);
    const { name, replaces, checksum } = migration;
    await session.transaction(async (transaction) => {
      await recordReplaced(transaction, replaces, name, checksum);
      await onAdopt?.(name, replaces, transaction);
    });
  }
};

/**
 * Refuses to undo migrations while the database records parts of a replacement: their `down.sql` files are gone. `cms
 * migrate` records the replacement instead.
 */
export const refuseUnadopted = (applied: readonly Applied[], migrations: readonly Migration[]): void => {
  for (const [{ name, replaces }] of adoptable(applied, migrations)) {
    throw new MigrationError(
      `${name} takes the place of ${replaces.join(", ")}, which the database knows by these names: run \`cms migrate\` first.`,
    );
  }
};
