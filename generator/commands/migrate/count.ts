/** Asks a database what a migration that it has not seen concerns there. */
import type { Reader } from "../../../runtime/database/database.ts";
import { readMigrations } from "../../../runtime/database/migrations/files.ts";
import { readHistory } from "../../migrate/history/history.ts";
import { type Concern, concernsOf } from "../../migrate/report/concerns.ts";
import { lackedAfter } from "../../migrate/report/lacked.ts";
import { lackingIn } from "../../migrate/report/write-sql.ts";
import { emptySnapshot } from "../../migrate/snapshot.ts";

export interface Counted extends Concern {
  readonly count: number;
}

const countOne = async (database: Reader, concern: Concern): Promise<readonly Counted[]> => {
  try {
    const [row] = await database.rows(concern.sql);
    const count = Number(row?.[0]);
    return count > 0 ? [{ ...concern, count }] : [];
  } catch {
    // It is about what an earlier migration makes, which has not run.
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
    .replace(/^(value|document|link|row|draft)s\b/, "$1")
    .replace(/^entries\b/, "entry")
    .replace(/^value that stand\b/, "value that stands")
    .replace(/\bthat differ\b/, "that differs");

/** `loses 12 values of articles.subtitle`, with what to do where the migration stops at it. */
export const describe = ({ count: number, what, stops, becomes }: Counted): string => {
  const counted = `${number} ${number === 1 ? singular(what) : what}`;
  return stops === undefined ? `${becomes ?? "loses"} ${counted}` : `stops at ${counted}: ${stops}`;
};

/** How much of the content the migrations `names` of `folder` concern: what goes, and what they would stop at, a line each. */
export const countAll = async (
  database: Reader,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const headers = new Map(readMigrations(folder).map(({ name, up }) => [name, up]));
  const lines: string[] = [];
  const history = readHistory(folder);
  for (const [index, each] of history.entries()) {
    if (!names.includes(each.name)) continue;
    const { name, snapshot } = each;
    // Of one that an older version made it is not known what it renames.
    if (snapshot.written === undefined) continue;
    const before = history[index - 1]?.snapshot ?? emptySnapshot;
    const concerns = concernsOf(before, snapshot, lackingIn(headers.get(name) ?? ""));
    for (const found of await count(database, concerns)) lines.push(`${name} ${describe(found)}`);
  }
  return lines;
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
