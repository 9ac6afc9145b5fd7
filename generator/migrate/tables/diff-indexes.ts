/** Added, dropped and changed indexes and constraints. */
import { own } from "../own.ts";
import type { ForeignKey, Index, Table } from "../snapshot.ts";
import { createIndex, quote, quoteAll, references } from "../sql.ts";
import type { Draft, Step } from "../step.ts";
import type { Knowledge } from "./diff-columns.ts";

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const buildOnline = (draft: Draft, table: string, key: string, index: Index): void => {
  draft.steps.push({
    stage: "online",
    // An index left behind by an interrupted run is unusable.
    sql: `drop index concurrently if exists ${quote(key)};\n\n${createIndex(key, table, index, true)};`,
    does: `indexes ${table}: ${key}`,
  });
};

const NAME = /"(?:[^"]|"")+"/g;

/** Counts what would violate a unique index, if the table has all of its columns. */
const countDuplicates = (
  draft: Draft,
  table: string,
  from: Table,
  [key, { on, unique, where }]: readonly [string, Index],
  { initial, remaining, before }: Knowledge,
): void => {
  if (!unique) return;
  const known = new Set(Object.keys(from.columns).map(quote));
  const given = new Set([...initial.keys()].map((place) => quote(place.slice(table.length + 1))));
  const isMissing = (text: string): boolean => (text.match(NAME) ?? []).some((name) => !known.has(name));
  // A new column with a default has the same value in every row.
  const parts = on.filter((part) => !(part.match(NAME) ?? []).every((name) => given.has(name)));
  if ([...parts, where ?? ""].some(isMissing)) return;
  const condition = remaining.get(table)?.(where ?? "true") ?? where;
  const rows = `${quote(table)}${condition === undefined ? "" : ` where ${condition}`}`;
  const keys = parts.map((part) => part.replace(/ (?:asc|desc)\b.*$/i, "")).join(", ");
  draft.concerns.push({
    what: `values that stand twice or more in ${table}, where ${key} allows each once`,
    sql: before(table, `select count(*) from (select from ${rows} group by ${keys} having count(*) > 1) as twice`),
    stops: "change all but one of each first",
  });
};

/**
 * Dropped and new indexes. Old ones serve until the new ones are built, unless rows move: a unique index could forbid
 * the new values.
 */
export const changeIndexes = (draft: Draft, name: string, from: Table, to: Table, knowledge: Knowledge): void => {
  const rowsMove = draft.steps.some(({ stage, removes }) => stage === "move" && !removes);
  const mentions = (part: string, isMeant: (column: string) => boolean): boolean =>
    Object.keys(from.columns).some((column) => isMeant(column) && part.includes(quote(column)));
  const isDropped = (column: string): boolean => !Object.hasOwn(to.columns, column);
  // The values that an index compares may be meaningless in another type.
  const isRetyped = (column: string): boolean =>
    !isDropped(column) && own(to.columns, column)?.type !== own(from.columns, column)?.type;
  const outlived: Step[] = [];
  for (const [key, index] of Object.entries(from.indexes)) {
    const kept = to.indexes[key];
    const text = [...index.on, index.where ?? ""].join(" ");
    const losesColumn = mentions(text, isDropped);
    // An index is dropped with its column.
    if ((kept && sameJson(index, kept)) || (!index.unique && losesColumn)) continue;
    const does = kept ? undefined : `drops index ${key}`;
    const losesType = mentions(text, isRetyped);
    if (kept || losesColumn || losesType || rowsMove) {
      draft.steps.push({
        stage: (index.unique && rowsMove) || losesType ? "create" : "drop",
        sql: `drop index if exists ${quote(key)};`,
        does,
        locks: `${name}: everything, for a moment`,
      });
    } else outlived.push({ stage: "online", sql: `drop index concurrently if exists ${quote(key)};`, does });
  }
  for (const [key, index] of Object.entries(to.indexes)) {
    const old = from.indexes[key];
    const isSame = old !== undefined && sameJson(index, old);
    // An index that stays applies to what is published now.
    if (!isSame || knowledge.remaining.has(name)) countDuplicates(draft, name, from, [key, index], knowledge);
    if (!isSame) buildOnline(draft, name, key, index);
  }
  draft.steps.push(...outlived);
};

/**
 * Adds a foreign key, which locks the table that it references until the transaction ends: for most, that is
 * `documents`. Existing rows are validated afterwards, without blocking others.
 */
export const addForeignKey = (
  draft: Draft,
  name: string,
  [key, foreignKey]: readonly [string, ForeignKey],
  { isChecked = false, ...step }: Pick<Step, "does" | "locks"> & { readonly isChecked?: boolean },
): void => {
  const [table, constraint] = [quote(name), quote(key)];
  const clause = `foreign key (${quoteAll(foreignKey.columns)}) ${references(foreignKey)}${isChecked ? "" : " not valid"}`;
  draft.steps.push({
    stage: "constraint",
    sql: `alter table ${table} add constraint ${constraint}\n  ${clause};`,
    ...step,
  });
  if (isChecked) return;
  draft.steps.push({ stage: "online", sql: `alter table ${table} validate constraint ${constraint};` });
};

export const changeConstraints = (draft: Draft, name: string, from: Table, to: Table): void => {
  const table = quote(name);
  for (const [key, foreignKey] of Object.entries(from.foreignKeys)) {
    const goesWithColumn = foreignKey.columns.some((column) => !Object.hasOwn(to.columns, column));
    if (goesWithColumn || sameJson(foreignKey, to.foreignKeys[key])) continue;
    draft.steps.push({
      // One that returns under its name must first drop the old one.
      stage: Object.hasOwn(to.foreignKeys, key) ? "create" : "drop",
      sql: `alter table ${table} drop constraint ${quote(key)};`,
      does: `drops constraint ${key}`,
    });
  }
  for (const [key, foreignKey] of Object.entries(to.foreignKeys)) {
    if (sameJson(foreignKey, from.foreignKeys[key])) continue;
    const comesWithColumn = foreignKey.columns.every((column) => !Object.hasOwn(from.columns, column));
    const locks = `${name} and ${foreignKey.table}: writes, for a moment`;
    addForeignKey(draft, name, [key, foreignKey], {
      does: comesWithColumn ? undefined : `adds constraint ${key}`,
      locks,
    });
  }
  for (const [key, columns] of Object.entries(from.uniques)) {
    if (sameJson(columns, to.uniques[key])) continue;
    draft.steps.push({
      stage: "create",
      sql: `alter table ${table} drop constraint ${quote(key)};`,
      does: `drops constraint ${key}`,
    });
  }
  for (const [key, columns] of Object.entries(to.uniques)) {
    if (sameJson(columns, from.uniques[key])) continue;
    const sql = `alter table ${table} add constraint ${quote(key)} unique (${quoteAll(columns)});`;
    draft.steps.push({
      stage: "constraint",
      sql,
      does: `adds constraint ${key}`,
      locks: `${name}: everything, while it is checked`,
    });
  }
};
