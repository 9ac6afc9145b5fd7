/** Asks a database what a migration that it has not seen concerns there. */
import type { Reader } from "../../../runtime/database/database.ts";
import { readMigrations } from "../../../runtime/database/migrations/files.ts";
import { readHistory } from "../../migrate/history/history.ts";
import { concernsBack, concernsOf } from "../../migrate/report/concerns.ts";
import { lackedAfter } from "../../migrate/report/lacked.ts";
import { lackingIn } from "../../migrate/report/write-sql.ts";
import { emptySnapshot } from "../../migrate/snapshot.ts";
import type { Concern } from "../../migrate/step.ts";

export interface Counted extends Concern {
  readonly count: number;
}

const countOne = async (database: Reader, concern: Concern): Promise<readonly Counted[]> => {
  try {
    const [row] = await database.rows(concern.sql);
    const count = Number(row?.[0]);
    return count > 0 ? [{ ...concern, count }] : [];
  } catch {
    // It needs a newer PostgreSQL, or the database is not what its migrations made of it.
    return [];
  }
};

/** Those that concern anything. */
export const count = async (database: Reader, concerns: readonly Concern[]): Promise<readonly Counted[]> => {
  const found: Counted[] = [];
  for (const concern of concerns) found.push(...(await countOne(database, concern)));
  return found;
};

const singular = (what: string): string =>
  what
    .replace(/^(value|document|link|row|draft|target|version)s\b/, "$1")
    .replace(/^entries\b/, "entry")
    .replace(/^value that stand\b/, "value that stands")
    .replace(/\bthat differ\b/, "that differs");

/** `loses 12 values of articles.subtitle`, with what to do where the migration stops at it. */
export const describe = ({ count: number, what, stops, becomes }: Counted): string => {
  const counted = `${number} ${number === 1 ? singular(what) : what}`;
  return stops === undefined ? `${becomes ?? "loses"} ${counted}` : `stops at ${counted}: ${stops}`;
};

/** What a migration concerns. */
interface Found extends Counted {
  readonly name: string;
}

/** What several migrations concern, each in the first of them that does. */
const countEach = async (
  database: Reader,
  migrations: readonly (readonly [name: string, concerns: readonly Concern[]])[],
): Promise<readonly Found[]> => {
  const known = new Set<string>();
  const found: Found[] = [];
  for (const [name, concerns] of migrations) {
    const fresh = concerns.filter(({ what }) => !known.has(what));
    for (const { what } of fresh) known.add(what);
    for (const each of await count(database, fresh)) found.push({ ...each, name });
  }
  return found;
};

/** How much of the content the pending migrations `names` of `folder` concern: what goes, and what they would stop at. */
export const countAll = (
  database: Reader,
  folder: string,
  names: readonly string[],
  defaultLocale: string,
): Promise<readonly Found[]> => {
  const headers = new Map(readMigrations(folder).map(({ name, up }) => [name, up]));
  const history = readHistory(folder);
  const first = history.findIndex(({ name }) => names.includes(name));
  const base = history[first - 1]?.snapshot ?? emptySnapshot;
  const chosen = first === -1 ? [] : history.slice(first).filter(({ name }) => names.includes(name));
  // Of one that an older version made it is not known what it renames.
  const unclear = chosen.findIndex(({ snapshot }) => snapshot.written === undefined);
  const clear = unclear === -1 ? chosen : chosen.slice(0, unclear);
  return countEach(
    database,
    clear.map(({ name }, index) => {
      const snapshots = clear.slice(0, index + 1).map(({ snapshot }) => snapshot);
      return [name, concernsOf([base, ...snapshots], lackingIn(headers.get(name) ?? ""), defaultLocale)];
    }),
  );
};

/** The same of migrations that are undone, the last one first. */
export const countBack = (
  database: Reader,
  folder: string,
  names: readonly string[],
  defaultLocale: string,
): Promise<readonly Found[]> => {
  const history = readHistory(folder);
  const chosen = history.filter(({ name }) => names.includes(name));
  const base = history[history.findIndex(({ name }) => name === chosen[0]?.name) - 1]?.snapshot ?? emptySnapshot;
  const unclear = chosen.findLastIndex(({ snapshot }) => snapshot.written === undefined);
  const clear = chosen.slice(unclear + 1);
  return countEach(
    database,
    clear.toReversed().map(({ name }) => {
      const at = chosen.findIndex((each) => each.name === name);
      const snapshots = chosen.slice(at).map(({ snapshot }) => snapshot);
      return [name, concernsBack([chosen[at - 1]?.snapshot ?? base, ...snapshots], defaultLocale)];
    }),
  );
};

/** What lacks a value that these migrations, which have been applied, require, a line each. */
export const countLacking = async (
  database: Reader,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const headers = new Map(readMigrations(folder).map(({ name, up }) => [name, up]));
  const concerns = readHistory(folder).flatMap(({ name, snapshot }) => {
    const lacking = names.includes(name) ? lackingIn(headers.get(name) ?? "") : [];
    return lackedAfter(snapshot, lacking);
  });
  return (await count(database, concerns)).map(
    ({ count: number, what }) => `${number} ${number === 1 ? singular(what) : what} now`,
  );
};
