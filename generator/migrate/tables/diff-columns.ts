/** Added, dropped and changed columns. */
import type { Findings, Revaluation } from "../change.ts";
import { type Defaults, isBeyondDefault } from "../components/fill-defaults.ts";
import { conversion, type Conversion } from "../convert.ts";
import { own } from "../own.ts";
import type { Column, Table } from "../snapshot.ts";
import { columnDefinition, countRows, quote } from "../sql.ts";
import { allowedConversion, type Concern, type Draft, dare, type Stage, type Step } from "../step.ts";
import { adviceOf } from "../suggest.ts";
import { endComputed } from "./computed-columns.ts";
import { replaceColumns, UNTRIGGERED } from "./replaced-columns.ts";

/** What is known beyond the tables themselves. Columns are named `table.column`. */
export interface Knowledge extends Findings {
  /** Tables that belong to a dropped one and share its permission. Link table to its owner. */
  readonly owners: ReadonlyMap<string, string>;
  /** A statement over one table, with the table's names before the migration. */
  readonly before: (table: string, sql: string) => string;
  /** The default values of columns. */
  readonly defaults: Defaults;
}

/** Counts the values of a column, and those other than its default; none in rows that are removed anyway. */
const countValues = (
  name: string,
  key: string,
  { before, defaults, present, remaining }: Knowledge,
): Pick<Concern, "sql" | "beyondDefault"> => {
  const count = (where: string): string => before(name, countRows(name, remaining.get(name)?.(where) ?? where));
  const sql = count(`${quote(key)} is not null`);
  const type = own(own(present, name)?.columns, key)?.type;
  return type === undefined ? { sql } : { sql, beyondDefault: count(isBeyondDefault(name, key, type, defaults)) };
};

/** Before content moves if that needs the column; else after it: from then on nobody can read the table. */
const stageFor = ({ steps }: Draft, column: string): Stage => {
  const moving = steps.filter(({ stage }) => stage === "move");
  return moving.length === 0 || moving.some(({ sql }) => sql.includes(quote(column))) ? "create" : "alter";
};

export const addColumn = (
  draft: Draft,
  name: string,
  key: string,
  column: Column,
  { initial, prepared }: Knowledge,
) => {
  const isPrepared = prepared.has(`${name}.${key}`);
  const value = initial.get(`${name}.${key}`);
  const definition = columnDefinition(key, value === undefined ? column : { ...column, default: value });
  const stage = stageFor(draft, key);
  draft.steps.push({
    stage: isPrepared ? "prepare" : stage,
    sql: `alter table ${quote(name)} add column ${isPrepared ? "if not exists " : ""}${definition};`,
    does: `adds ${name}.${key}${value === undefined ? "" : `, with ${value} in the rows that are there`}`,
    locks: `${name}: everything, for a moment`,
    ...(column.notNull && column.default === undefined ? { breaks: true } : {}),
  });
  if (value === undefined || column.default !== undefined) return;
  draft.steps.push({ stage, sql: `alter table ${quote(name)} alter column ${quote(key)} drop default;` });
};

export const dropColumn = (draft: Draft, name: string, key: string, knowledge: Knowledge): void => {
  const place = `${name}.${key}`;
  const isComputed = own(own(knowledge.present, name)?.columns, key)?.computed !== undefined;
  const isSettled = isComputed || knowledge.settled.has(place);
  if (!isSettled) {
    if (!dare(draft, `drop:${place}`, `column ${place} would be dropped with all its values`)) return;
    draft.concerns.push({ what: `values of ${place}`, ...countValues(name, key, knowledge) });
  }
  draft.steps.push({
    stage: "drop",
    sql: `${isComputed ? endComputed(name, key) : ""}alter table ${quote(name)} drop column ${quote(key)};`,
    does: `drops ${place}`,
    locks: `${name}: everything, for a moment`,
    breaks: true,
    loses: isSettled ? undefined : `every value of ${place}`,
  });
};

/** Drops and recreates the column, for types that do not convert. */
const replaceColumn = (draft: Draft, name: string, key: string, column: Column): void => {
  draft.steps.push({
    stage: "alter",
    sql: `alter table ${quote(name)} drop column ${quote(key)};\n\nalter table ${quote(name)} add column ${columnDefinition(key, column)};`,
    does: `makes ${name}.${key} anew as ${column.type}`,
    locks: `${name}: everything, for a moment`,
    loses: `every value of ${name}.${key}`,
    breaks: true,
  });
};

/** A column with a new type, as part of the one statement that rewrites its table. */
interface TypeChange extends Omit<Step, "stage" | "sql"> {
  readonly column: string;
  readonly type: string;
  /** SQL of the new value; undefined if it is the old one. */
  readonly value: string | undefined;
  /** Whether the expression is hand-written. */
  readonly isWritten: boolean;
}

/** Values that are emptied, which is instant. */
const EMPTY = /^null::/;

const newValue = (
  column: string,
  written: string | undefined,
  known: Conversion,
  revalued: Revaluation | undefined,
): string | undefined => {
  const given = revalued?.when === "before" ? revalued.using(column) : column;
  const converted = written ?? ("using" in known ? known.using?.(given) : undefined);
  if (revalued?.when === "after") return revalued.using(converted ?? column);
  return converted ?? (given === column ? undefined : given);
};

/** A column whose type changes, in the table `name`. */
interface Retyped {
  readonly name: string;
  readonly key: string;
  readonly from: Column;
  readonly to: Column;
}

/** Whether values may be converted; if they have to be dropped, the column is recreated. */
const mayConvert = (
  draft: Draft,
  { name, key, from, to }: Retyped,
  known: Conversion,
  knowledge: Knowledge,
): boolean => {
  const place = `${name}.${key}`;
  const count = (which: string, where: string, { stops }: Pick<Concern, "stops"> = {}): void => {
    const sql = knowledge.before(name, countRows(name, where));
    draft.concerns.push({ what: `values of ${place}${which}`, sql, stops });
  };
  if (known.kind === "unknown") {
    const reason =
      `${place} changes from ${from.type} to ${to.type}, which PostgreSQL cannot do by itself: ` +
      adviceOf(known.suggestion);
    if (!dare(draft, `drop:${place}`, reason)) return false;
    draft.concerns.push({ what: `values of ${place}`, ...countValues(name, key, knowledge) });
    replaceColumn(draft, name, key, to);
    return false;
  }
  if ("misfits" in known && known.misfits)
    count(` ${known.misfits.which}`, known.misfits.condition(quote(key)), known.misfits);
  if (known.kind !== "narrowing") return true;
  return dare(draft, `narrow:${place}`, `${place} narrows from ${from.type} to ${to.type}: ${known.reason}`);
};

const alterType = (draft: Draft, retyped: Retyped, knowledge: Knowledge): TypeChange | undefined => {
  const { name, key, from, to } = retyped;
  const place = `${name}.${key}`;
  const written = from.type === to.type ? undefined : knowledge.converts.get(place);
  const known = allowedConversion(draft, place, knowledge.conversions.get(place) ?? conversion(from.type, to.type));
  if (written === undefined && !mayConvert(draft, retyped, known, knowledge)) return undefined;
  const value = newValue(quote(key), written, known, knowledge.revalued.get(place));
  const isQuick = value === undefined ? known.kind === "free" : knowledge.replaceable.has(place) && !EMPTY.test(value);
  return {
    column: key,
    type: to.type,
    value,
    isWritten: written !== undefined,
    does: from.type === to.type ? undefined : `changes ${place} from ${from.type} to ${to.type}`,
    locks: `${name}: everything, ${isQuick ? "for a moment" : "while it is rewritten: seconds for a million rows"}`,
    ...(known.kind === "free" ? {} : { breaks: true }),
    loses: written === undefined && known.kind === "narrowing" ? `${place}: ${known.reason}` : undefined,
  };
};

/** If no other column can replace one, its table is rewritten: once, however many such columns it has. */
const alterTypes = (
  draft: Draft,
  name: string,
  from: Table,
  to: Table,
  changes: readonly TypeChange[],
  { replaceable, held }: Knowledge,
): void => {
  const replaced = changes.flatMap(({ column, type, value = "null::", isWritten }) =>
    EMPTY.test(value) || !replaceable.has(`${name}.${column}`) ? [] : [{ column, type, value, isWritten }],
  );
  if (replaced.length > 0) {
    held.add(name);
    if (!draft.steps.includes(UNTRIGGERED)) draft.steps.push(UNTRIGGERED);
    draft.steps.push(...replaceColumns(name, from, to, replaced));
  }
  const rewritten = changes.filter((change) => !replaced.some(({ column }) => column === change.column));
  const clauses = rewritten.map(
    ({ column, type, value }) =>
      `alter column ${quote(column)} type ${type}${value === undefined ? "" : ` using (${value})`}`,
  );
  const separator = clauses.length > 1 ? "\n  " : " ";
  const sql = clauses.length === 0 ? "" : `alter table ${quote(name)}${separator}${clauses.join(",\n  ")};`;
  for (const [
    index,
    { column: _column, type: _type, value: _value, isWritten: _written, ...step },
  ] of changes.entries()) {
    draft.steps.push({ ...step, stage: "alter", sql: index === 0 ? sql : "" });
  }
};

const setNotNull = (draft: Draft, name: string, key: string): void => {
  const check = quote(`${key}_not_null`.slice(-63));
  const table = quote(name);
  const add = (stage: Stage, sql: string, does?: string) =>
    draft.steps.push({ stage, sql: `alter table ${table} ${sql};`, does, breaks: true });
  // The check is validated without a lock; afterwards PostgreSQL need not scan the table for "not null".
  add(
    "alter",
    `drop constraint if exists ${check}, add constraint ${check} check (${quote(key)} is not null) not valid`,
  );
  add("online", `validate constraint ${check}`, `forbids null in ${name}.${key}`);
  add("online", `alter column ${quote(key)} set not null, drop constraint if exists ${check}`);
};

const alterColumn = (draft: Draft, name: string, key: string, from: Column, to: Column): void => {
  const alter = `alter table ${quote(name)} alter column ${quote(key)}`;
  const locks = `${name}: everything, for a moment`;
  if (from.default !== to.default) {
    const sql = to.default === undefined ? `${alter} drop default;` : `${alter} set default ${to.default};`;
    draft.steps.push({ stage: "alter", sql, does: `changes the default of ${name}.${key}`, locks });
  }
  if (from.notNull === to.notNull) return;
  if (to.notNull) setNotNull(draft, name, key);
  else
    draft.steps.push({ stage: "alter", sql: `${alter} drop not null;`, does: `allows null in ${name}.${key}`, locks });
};

/** Changes the columns that exist before and after. */
export const alterColumns = (draft: Draft, name: string, from: Table, to: Table, knowledge: Knowledge): void => {
  const types: TypeChange[] = [];
  for (const [key, column] of Object.entries(to.columns)) {
    const old = own(from.columns, key);
    if (!old) continue;
    const isSame = old.type === column.type && !knowledge.revalued.has(`${name}.${key}`);
    const change = isSame ? undefined : alterType(draft, { name, key, from: old, to: column }, knowledge);
    if (change) types.push(change);
    alterColumn(draft, name, key, old, column);
  }
  if (types.length > 0) alterTypes(draft, name, from, to, types, knowledge);
};
