/** Renames of tables and columns, and the old tables as they look after them. */
import type { Correspondence } from "./correspondence.ts";
import { own } from "./own.ts";
import { inOrder } from "./rename-order.ts";
import type { AttributeOutline, ForeignKey, Index, Snapshot, Table, Tables } from "./snapshot.ts";
import { quote } from "./sql.ts";
import type { Step } from "./step.ts";

export interface Renames {
  /** Old name to new name. */
  readonly tables: ReadonlyMap<string, string>;
  /** By the old name of the table. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const columnKeys = ["column", "typeColumn", "positionColumn"] as const;

const stored = (attribute: AttributeOutline, key: (typeof columnKeys)[number] | "link"): string | undefined => {
  const value: unknown = Reflect.get(attribute, key);
  return typeof value === "string" ? value : undefined;
};

/** Where attributes and types that go on under another name are stored, before and after. */
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
      if (!from || !to || from.kind !== to.kind) continue;
      for (const key of columnKeys) {
        const [was, is] = [stored(from, key), stored(to, key)];
        if (was === undefined || is === undefined || was === is) continue;
        const own = columns.get(before.table) ?? new Map<string, string>();
        columns.set(before.table, own.set(was, is));
      }
      const [was, is] = [stored(from, "link"), stored(to, "link")];
      if (was !== undefined && is !== undefined && was !== is) tables.set(was, is);
    }
  }
  return { tables, columns };
};

const mapRecord = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => readonly [string, Result],
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => change(value, key)));

/** The old tables under their new names. Indexes and constraints keep theirs. */
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

const moment = (table: string): string => `${table}: everything, for a moment`;

/** The statements for tables and columns; `shown` are old names of tables that stay as views. */
export const renameSteps = ({ tables, columns }: Renames, shown: ReadonlySet<string>): Step[] => {
  const steps: Step[] = [];
  for (const { from, to, ends } of inOrder(tables)) {
    steps.push({
      stage: "rename",
      sql: `alter table ${quote(from)} rename to ${quote(to)};`,
      ...(ends ? { does: `renames table ${ends.was} to ${ends.is}`, locks: moment(ends.is) } : { does: "" }),
      ...(ends && shown.has(ends.was) ? {} : { breaks: true }),
    });
  }
  for (const [old, names] of columns) {
    const table = tables.get(old) ?? old;
    for (const { from, to, ends } of inOrder(names)) {
      steps.push({
        stage: "rename",
        sql: `alter table ${quote(table)} rename column ${quote(from)} to ${quote(to)};`,
        does: ends ? `renames ${table}.${ends.was} to ${ends.is}` : "",
        locks: moment(table),
        breaks: true,
      });
    }
  }
  return steps;
};

/** Names in `old` and `next` that stand for the same definition: old name to new name. */
const matchNames = <Definition>(
  old: Readonly<Record<string, Definition>>,
  next: Readonly<Record<string, Definition>>,
): Map<string, string> => {
  const free = new Map(
    Object.entries(next)
      .filter(([name]) => !Object.hasOwn(old, name))
      .map(([name, definition]) => [JSON.stringify(definition), name]),
  );
  const matched = new Map<string, string>();
  for (const [name, definition] of Object.entries(old)) {
    const text = JSON.stringify(definition);
    const found = Object.hasOwn(next, name) ? undefined : free.get(text);
    if (found === undefined) continue;
    matched.set(name, found);
    free.delete(text);
  }
  return matched;
};

const rekey = <Value>(record: Readonly<Record<string, Value>>, names: ReadonlyMap<string, string>) =>
  mapRecord(record, (value, key) => [names.get(key) ?? key, value]);

const renameConstraint = (table: string) => (from: string, to: string) =>
  `alter table ${quote(table)} rename constraint ${quote(from)} to ${quote(to)};`;

/** Renames what is named after a table or column that was renamed, instead of building it again. */
export const renameParts = (old: Tables, next: Tables): { readonly tables: Tables; readonly steps: Step[] } => {
  /** Indexes, and constraints with one, of all tables: their names are of one kind. */
  const relations = new Map<string, { readonly is: string; readonly sql: (from: string, to: string) => string }>();
  const keys: string[] = [];
  const tables = mapRecord(old, (table, name): [string, Table] => {
    const target = own(next, name);
    if (!target) return [name, table];
    const indexes = matchNames(table.indexes, target.indexes);
    const foreignKeys = matchNames(table.foreignKeys, target.foreignKeys);
    const uniques = matchNames(table.uniques, target.uniques);
    const { primaryKey } = table;
    const isSameKey = primaryKey?.columns.join() === target.primaryKey?.columns.join();
    if (primaryKey && target.primaryKey && isSameKey && primaryKey.name !== target.primaryKey.name) {
      relations.set(primaryKey.name, { is: target.primaryKey.name, sql: renameConstraint(name) });
    }
    for (const [was, is] of indexes)
      relations.set(was, { is, sql: (from, to) => `alter index ${quote(from)} rename to ${quote(to)};` });
    for (const [was, is] of uniques) relations.set(was, { is, sql: renameConstraint(name) });
    for (const [was, is] of foreignKeys) keys.push(renameConstraint(name)(was, is));
    return [
      name,
      {
        ...table,
        ...(isSameKey && target.primaryKey ? { primaryKey: target.primaryKey } : {}),
        indexes: rekey(table.indexes, indexes),
        foreignKeys: rekey(table.foreignKeys, foreignKeys),
        uniques: rekey(table.uniques, uniques),
      },
    ];
  });
  const ordered = inOrder(new Map([...relations].map(([was, { is }]) => [was, is])));
  const statements = ordered.map(({ from, to, ends }) => relations.get(ends?.was ?? from)?.sql(from, to) ?? "");
  return { tables, steps: [...statements, ...keys].map((sql): Step => ({ stage: "rename", sql, does: "" })) };
};
