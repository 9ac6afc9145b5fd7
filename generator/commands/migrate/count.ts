/** Asks a database how much of its content a pending migration affects. */
import type { Reader } from "../../../runtime/database/database.ts";
import { readMigrations } from "../../../runtime/database/migrations/files.ts";
import { readHistory, type Recorded } from "../../migrate/history/history.ts";
import { concernsOf } from "../../migrate/report/concerns.ts";
import { lackedAfter } from "../../migrate/report/lacked.ts";
import { lackingIn } from "../../migrate/report/write-sql.ts";
import { emptySnapshot } from "../../migrate/snapshot.ts";
import type { Concern } from "../../migrate/step.ts";

export interface Counted extends Concern {
  readonly count: number;
}

/** `unknown` if the query needs a newer PostgreSQL, or the database is not what its migrations made of it. */
const countOf = async (database: Reader, sql: string, unknown: number): Promise<number> =>
  Number((await database.rows(sql).catch(() => []))[0]?.[0] ?? unknown);

/** Whether any of them affects more than defaults, or may: what cannot be counted may be a lot. */
export const concernsAny = async (database: Reader, concerns: readonly Concern[]): Promise<boolean> => {
  for (const { sql, beyondDefault = sql } of concerns) if ((await countOf(database, beyondDefault, 1)) > 0) return true;
  return false;
};

/** Those that affect anything. */
export const count = async (database: Reader, concerns: readonly Concern[]): Promise<readonly Counted[]> => {
  const found: Counted[] = [];
  for (const concern of concerns) found.push({ ...concern, count: await countOf(database, concern.sql, 0) });
  return found.filter((each) => each.count > 0);
};

const singular = (what: string): string =>
  what
    .replace(/^(value|document|link|row|draft|target|version)s\b/, "$1")
    .replace(/^entries\b/, "entry")
    .replace(/^value that stand\b/, "value that stands")
    .replace(/\bthat differ\b/, "that differs");

const counted = ({ count: number, what }: Counted): string => `${number} ${number === 1 ? singular(what) : what}`;

/** `loses 12 values of articles.subtitle`, and what to do if that blocks the migration. */
export const describe = (found: Counted): string => {
  const { stops, becomes = "loses" } = found;
  return stops === undefined ? `${becomes} ${counted(found)}` : `stops at ${counted(found)}: ${stops}`;
};

/** What a migration affects. */
export interface Found extends Counted {
  /** Its name, and what it does to how much content. */
  readonly text: string;
}

/** What several migrations affect, each effect under the first migration that has it. */
const countEach = async (
  database: Reader,
  migrations: readonly (readonly [name: string, concerns: readonly Concern[]])[],
): Promise<readonly Found[]> => {
  const known = new Set<string>();
  const found: Found[] = [];
  for (const [name, concerns] of migrations) {
    const fresh = concerns.filter(({ what }) => !known.has(what));
    for (const { what } of fresh) known.add(what);
    for (const each of await count(database, fresh)) found.push({ ...each, text: `${name} ${describe(each)}` });
  }
  return found;
};

/** Migrations made by an older version do not record what they rename. */
const isUnclear = ({ snapshot }: Recorded): boolean => snapshot.written === undefined;

/**
 * How much content migrations of `folder` affect: what they remove, and what would block them.
 *
 * @param names the pending ones, or with "down" those to undo
 */
export const countAll = (
  database: Reader,
  folder: string,
  names: readonly string[],
  defaultLocale: string,
  way: "up" | "down" = "up",
): Promise<readonly Found[]> => {
  const headers = new Map(readMigrations(folder).map(({ name, up }) => [name, up]));
  const history = readHistory(folder);
  const first = history.findIndex(({ name }) => names.includes(name));
  const before = history[first - 1]?.snapshot ?? emptySnapshot;
  const chosen = history.filter(({ name }) => names.includes(name));
  const unclear = chosen.findIndex(isUnclear);
  const from = way === "up" ? 0 : chosen.findLastIndex(isUnclear) + 1;
  const clear = chosen.slice(from, way === "up" && unclear !== -1 ? unclear : undefined);
  const snapshots = [
    from === 0 ? before : (chosen[from - 1]?.snapshot ?? before),
    ...clear.map((each) => each.snapshot),
  ];
  const each = clear.map(({ name }, index) => {
    const lacking = lackingIn(headers.get(name) ?? "");
    const sides = way === "up" ? snapshots.slice(0, index + 2) : snapshots.slice(index);
    return [name, concernsOf(way, sides, lacking, defaultLocale)] as const;
  });
  return countEach(database, way === "up" ? each : each.toReversed());
};

/** What lacks a value that these applied migrations require, one per line. */
export const countLacking = async (
  database: Reader,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const headers = readMigrations(folder).filter(({ name }) => names.includes(name));
  const lacking = new Map(headers.map(({ name, up }) => [name, lackingIn(up)]));
  // Snapshots of many types take long to read, and few migrations require something.
  if ([...lacking.values()].every((each) => each.length === 0)) return [];
  const concerns = readHistory(folder).flatMap((recorded) => {
    const places = lacking.get(recorded.name) ?? [];
    return places.length === 0 ? [] : lackedAfter(recorded.snapshot, places);
  });
  return (await count(database, concerns)).map((found) => `${counted(found)} now`);
};
