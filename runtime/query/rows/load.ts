/** Reads the related rows of a level, all at once, and then those of the levels below. */
import type { Reader, Row } from "../../database/database.ts";
import type { Budget } from "../check/budget.ts";
import type { GroupPlan, JoinPlan, LinkPlan, RowLevel } from "../plan/plan.ts";
import type { Bindings, Inputs } from "../sql/compile.ts";
import { type Wanted, wantedKeys } from "./follow.ts";
import {
  type JsonColumns,
  emptySet,
  groupKey,
  type Links,
  localeOf,
  type RowSet,
  type TypedKey,
  type Found,
} from "./row-set.ts";

/** What all statements of one request share. */
export interface Run {
  readonly session: Reader;
  readonly bindings: Bindings;
  /** The request's budget for rows. */
  readonly budget?: Budget | undefined;
}

/** Rows of one level whose relations have not been read yet. */
interface Bare {
  readonly run: Run;
  readonly level: RowLevel;
  readonly rows: readonly Row[];
}

export const completeRows = async (run: Run, level: RowLevel, rows: readonly Row[]): Promise<RowSet> => {
  run.budget?.rows(rows.length);
  const set = { ...emptySet(level), rows, defaultLocale: run.bindings.defaultLocale };
  if (rows.length === 0 || level.members.length === 0) return set;
  const bare: Bare = { run, level, rows };
  const [joins, keyed] = await Promise.all([
    Promise.all(level.joins.map((plan) => loadJoin(bare, plan))),
    loadKeyed(bare, set.components),
  ]);
  return { ...set, joins, ...keyed };
};

/** Reads groups. The keys of morph relations are known only after reading their links. */
const loadKeyed = async (bare: Bare, components: JsonColumns): Promise<Pick<RowSet, "groups" | "links">> => {
  const { level, rows } = bare;
  const links = await Promise.all(level.links.map((plan) => loadLinks(bare, plan)));
  const wanted = wantedKeys(rows, { level, components, links, defaultLocale: bare.run.bindings.defaultLocale });
  const groups = await Promise.all(
    wanted.map((each) => {
      const { listIndex } = each.plan;
      return listIndex === undefined ? loadGroup(bare, each) : loadParts(bare, each, listIndex);
    }),
  );
  return { links, groups };
};

const loadLinks = async ({ run, level, rows: sources }: Bare, { statement }: LinkPlan): Promise<Links> => {
  const keys = numbers(sources, level.idIndex);
  const byVersion = new Map<string, TypedKey[]>();
  const rows = await statement.run(run.session, run.bindings, { keys });
  run.budget?.rows(rows.length);
  for (const [row, type, documentId, version] of rows) {
    const key = {
      type: String(type),
      documentId: String(documentId),
      version: version === null ? undefined : String(version),
    };
    addTo(byVersion, String(row), key);
  }
  return byVersion;
};

/** The keys that can belong to a row. */
const validKeys = ({ files }: GroupPlan, keys: Iterable<unknown>): (string | number)[] =>
  files ? [...keys].map(Number).filter(Number.isInteger) : [...keys].filter((key) => typeof key === "string");

/** Reads rows, and records the keys for which each of them was read; sends no statement if there are no `inputs`. */
const load = async <Plan extends GroupPlan | JoinPlan>(
  { run }: Bare,
  plan: Plan,
  inputs: Inputs | undefined,
  keyOf: (row: Row) => unknown,
): Promise<Found<Plan>> => {
  const { statement, level } = plan;
  const positions = new Map<unknown, number[]>();
  if (inputs === undefined) return { plan, set: emptySet(level), positions };
  const rows = await statement.run(run.session, run.bindings, inputs);
  rows.forEach((row, position) => addTo(positions, keyOf(row), position));
  return { plan, set: await completeRows(run, level, rows), positions };
};

const loadGroup = (bare: Bare, { plan, keys: wanted }: Wanted): Promise<Found<GroupPlan>> => {
  const { level, files, localized } = plan;
  const keys = validKeys(plan, wanted);
  const keyIndex = files ? level.idIndex : level.documentIdIndex;
  const inputs = keys.length === 0 ? undefined : localized ? { keys, locales: localesOf(bare) } : { keys };
  return load(bare, plan, inputs, (row) => groupKey(plan, row[keyIndex], localeOf(level, row)));
};

/** Reads a part of each list: sends the keys of all lists, each with the number of its list. */
const loadParts = (bare: Bare, { plan, lists }: Wanted, listIndex: number): Promise<Found<GroupPlan>> => {
  const listed = [...lists.values()].flatMap(({ keys, locale, version }, list) =>
    validKeys(plan, keys).map((key) => ({ key, list, locale, version: version ?? null })),
  );
  const inputs = {
    keys: listed.map(({ key }) => key),
    lists: listed.map(({ list }) => list),
    locales: listed.map(({ locale }) => locale),
    versions: listed.map(({ version }) => version),
  };
  const known = [...lists.keys()];
  return load(bare, plan, listed.length === 0 ? undefined : inputs, (row) => known[Number(row[listIndex])]);
};

const loadJoin = (bare: Bare, plan: JoinPlan): Promise<Found<JoinPlan>> =>
  load(bare, plan, parentsOf(bare, plan), (row) => String(row[plan.keyIndex]));

/** The parents' keys for a join: each once, or once with each of its locales. */
const parentsOf = (bare: Bare, { parentKey, locale, paired }: JoinPlan): Inputs => {
  const { level } = bare;
  const index = parentKey === "id" ? level.idIndex : level.documentIdIndex;
  const parents = distinct(bare.rows, (row) => (paired ? `${row[index]} ${localeOf(level, row)}` : row[index]));
  const keys = parentKey === "id" ? numbers(parents, index) : texts(parents, index);
  if (paired) return { keys, locales: parents.map((row) => localeOf(level, row) ?? "") };
  return locale === "same" ? { keys, locales: localesOf(bare) } : { keys };
};

/** The first row for each key, in order. */
const distinct = (rows: readonly Row[], key: (row: Row) => unknown): readonly Row[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
];

const numbers = (rows: readonly Row[], index: number): number[] => rows.map((row) => Number(row[index]));

const texts = (rows: readonly Row[], index: number): string[] => rows.map((row) => String(row[index]));

const addTo = <Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};

/** The locales of the rows, or the default one if they have none. */
const localesOf = ({ run, level, rows }: Bare): string[] => [
  ...new Set(rows.map((row) => localeOf(level, row) ?? run.bindings.defaultLocale)),
];
