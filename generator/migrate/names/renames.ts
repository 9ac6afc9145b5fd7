import type { AttributeOutline, ForeignKey, Index, Snapshot, Table, Tables } from "../snapshot.ts";
import { quote } from "../sql.ts";
import type { Step } from "../step.ts";
/** Renames of tables and columns, and the old tables after them. */
import type { Correspondence } from "./pairings.ts";
import { inOrder, type Renaming } from "./rename-order.ts";

export interface Renames {
  /** Old name to new name. */
  readonly tables: ReadonlyMap<string, string>;
  /** By the old name of the table. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const columnKeys = ["column", "typeColumn", "positionColumn"] as const;
export const storageKeys = [...columnKeys, "link"] as const;

/** The column or table in which an attribute stores a part of its value. */
export const storageOf = (attribute: AttributeOutline, key: (typeof storageKeys)[number]): string | undefined => {
  const value: unknown = Reflect.get(attribute, key);
  return typeof value === "string" ? value : undefined;
};

const isValue = ({ kind }: AttributeOutline): boolean =>
  kind === "scalar" || kind === "component" || kind === "dynamiczone";

/** Whether stored data stays in place, under another name or in another form. */
const keepsPlace = (from: AttributeOutline, to: AttributeOutline): boolean =>
  from.kind === to.kind || (isValue(from) && isValue(to));

/** The old and new storage of attributes and types that continue under another name. */
export const findRenames = (old: Snapshot, next: Snapshot, { contentTypes }: Correspondence): Renames => {
  const tables = new Map<string, string>();
  const columns = new Map<string, Map<string, string>>();
  for (const pairing of contentTypes) {
    const before = old.contentTypes[pairing.old];
    const after = next.contentTypes[pairing.new];
    if (!before || !after) continue;
    if (before.table !== after.table) tables.set(before.table, after.table);
    for (const pair of pairing.attributes) {
      const from = before.attributes[pair.old];
      const to = after.attributes[pair.new];
      if (!from || !to || !keepsPlace(from, to)) continue;
      for (const key of columnKeys) {
        const [was, is] = [storageOf(from, key), storageOf(to, key)];
        if (was === undefined || is === undefined || was === is) continue;
        const own = columns.get(before.table) ?? new Map<string, string>();
        columns.set(before.table, own.set(was, is));
      }
      const [was, is] = [storageOf(from, "link"), storageOf(to, "link")];
      if (was !== undefined && is !== undefined && was !== is) tables.set(was, is);
    }
  }
  return { tables, columns };
};

export const mapRecord = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => readonly [string, Result],
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => change(value, key)));

/** The old tables under their new names. Indexes and constraints keep their names. */
export const renameTables = (tables: Tables, { tables: tableNames, columns }: Renames): Tables => {
  const column = (table: string) => (name: string) => columns.get(table)?.get(name) ?? name;
  const within = (table: string, text: string): string => {
    const names = new Map([...(columns.get(table) ?? [])].map(([was, is]) => [quote(was), quote(is)]));
    return text.replaceAll(/"(?:[^"]|"")+"/g, (name) => names.get(name) ?? name);
  };
  const renameIndex = (table: string, index: Index): Index => ({
    ...index,
    on: index.on.map((part) => within(table, part)),
    ...(index.where === undefined ? {} : { where: within(table, index.where) }),
  });
  const renameKey = (table: string, key: ForeignKey): ForeignKey => ({
    ...key,
    columns: key.columns.map(column(table)),
    table: tableNames.get(key.table) ?? key.table,
    references: key.references.map(column(key.table)),
  });
  return mapRecord(tables, (table, name): [string, Table] => [
    tableNames.get(name) ?? name,
    {
      columns: mapRecord(table.columns, (value, key) => [column(name)(key), value]),
      ...(table.primaryKey
        ? { primaryKey: { ...table.primaryKey, columns: table.primaryKey.columns.map(column(name)) } }
        : {}),
      uniques: mapRecord(table.uniques, (value, key) => [key, value.map(column(name))]),
      indexes: mapRecord(table.indexes, (value, key) => [key, renameIndex(name, value)]),
      foreignKeys: mapRecord(table.foreignKeys, (value, key) => [key, renameKey(name, value)]),
    },
  ]);
};

/** Rewrites a statement over one table to the names that the table has before it is renamed. */
export const namesBefore = ({ tables, columns }: Renames): ((table: string, sql: string) => string) => {
  const [oldTables, none] = [new Map([...tables].map(([was, is]) => [is, was])), new Map<string, string>()];
  return (table, sql) => {
    const was = oldTables.get(table) ?? table;
    const names = new Map([...(columns.get(was) ?? none)].map(([old, is]) => [quote(is), quote(old)]));
    return sql.replaceAll(/"(?:[^"]|"")+"/g, (name) =>
      name === quote(table) ? quote(was) : (names.get(name) ?? name),
    );
  };
};

const moment = (table: string): string => `${table}: everything, for a moment`;

/**
 * The statements for tables and columns.
 *
 * @param shown old names of tables that remain as views
 * @param isAside whether it is the temporary name of something that steps aside
 */
export const renameSteps = (
  { tables, columns }: Renames,
  shown: ReadonlySet<string>,
  isAside: (name: string) => boolean,
): Step[] => {
  const tell = ({ is }: NonNullable<Renaming["ends"]>, was: string, what: string): string =>
    isAside(is) ? `sets ${was} aside` : `renames ${what} to ${is}`;
  const steps: Step[] = [];
  for (const { from, to, ends } of inOrder(tables)) {
    steps.push({
      stage: "rename",
      sql: `alter table ${quote(from)} rename to ${quote(to)};`,
      does: ends && tell(ends, ends.was, `table ${ends.was}`),
      locks: ends && moment(ends.is),
      ...(ends && shown.has(ends.was) ? {} : { breaks: true }),
    });
  }
  for (const [old, names] of columns) {
    const table = tables.get(old) ?? old;
    for (const { from, to, ends } of inOrder(names)) {
      steps.push({
        stage: "rename",
        sql: `alter table ${quote(table)} rename column ${quote(from)} to ${quote(to)};`,
        does: ends && tell(ends, `${table}.${ends.was}`, `${table}.${ends.was}`),
        locks: moment(table),
        breaks: true,
      });
    }
  }
  return steps;
};
