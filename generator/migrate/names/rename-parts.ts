/** Indexes and constraints named after what is renamed, and those whose names something else takes. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { own } from "../own.ts";
import type { Table, Tables } from "../snapshot.ts";
import { quote } from "../sql.ts";
import type { Step } from "../step.ts";
import { inOrder } from "./rename-order.ts";
import { mapRecord } from "./renames.ts";
import { ASIDE } from "./set-aside.ts";

/** Names in `old` and `next` for the same definition: old name to new name. */
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

const renameIndex = (from: string, to: string): string => `alter index ${quote(from)} rename to ${quote(to)};`;

const aside = (names: Iterable<string>): readonly (readonly [was: string, is: string])[] =>
  [...names].map((name) => [name, identifier(ASIDE, name)]);

/** Names of indexes and of constraints that have one: all tables share one namespace. */
const relationsOf = ({ primaryKey, indexes, uniques }: Table): readonly string[] => [
  ...(primaryKey ? [primaryKey.name] : []),
  ...Object.keys(indexes),
  ...Object.keys(uniques),
];

const nothing: Table = { columns: {}, indexes: {}, uniques: {}, foreignKeys: {} };

const keysOf = ({ primaryKey }: Table): Readonly<Record<string, readonly string[]>> =>
  primaryKey ? { [primaryKey.name]: primaryKey.columns } : {};

/**
 * The renames within one table: old name to new name.
 *
 * @param wanted whether an index or constraint of another table gets that name
 */
const renamedIn = (before: Table, after: Table, wanted: (name: string) => boolean) => {
  const leaving = (old: Readonly<Record<string, unknown>>, next: Readonly<Record<string, unknown>>) =>
    new Map([...aside(Object.keys(old).filter(wanted)), ...matchNames(old, next)]);
  // One that is created with its column needs the name before this one is dropped.
  const keys = Object.keys(before.foreignKeys).filter((name) => {
    const next = own(after.foreignKeys, name);
    return next !== undefined && JSON.stringify(next) !== JSON.stringify(before.foreignKeys[name]);
  });
  return {
    primaryKey: leaving(keysOf(before), keysOf(after)),
    indexes: leaving(before.indexes, after.indexes),
    uniques: leaving(before.uniques, after.uniques),
    foreignKeys: new Map([...aside(keys), ...matchNames(before.foreignKeys, after.foreignKeys)]),
  };
};

const renamedTable = (table: Table, names: ReturnType<typeof renamedIn>): Table => {
  const { primaryKey } = table;
  return {
    ...table,
    ...(primaryKey
      ? { primaryKey: { ...primaryKey, name: names.primaryKey.get(primaryKey.name) ?? primaryKey.name } }
      : {}),
    indexes: rekey(table.indexes, names.indexes),
    foreignKeys: rekey(table.foreignKeys, names.foreignKeys),
    uniques: rekey(table.uniques, names.uniques),
  };
};

/**
 * Renames parts named after a renamed table or column instead of rebuilding them; a part that is dropped later, and
 * whose name something else takes, steps aside.
 */
export const renameParts = (old: Tables, next: Tables): { readonly tables: Tables; readonly steps: Step[] } => {
  const holders = new Map(
    Object.entries(next).flatMap(([table, each]) => relationsOf(each).map((name) => [name, table] as const)),
  );
  const relations = new Map<string, { readonly is: string; readonly sql: (from: string, to: string) => string }>();
  const keys: string[] = [];
  const tables = mapRecord(old, (table, name): [string, Table] => {
    const renamed = renamedIn(table, own(next, name) ?? nothing, (each) => (holders.get(each) ?? name) !== name);
    for (const [was, is] of [...renamed.primaryKey, ...renamed.uniques])
      relations.set(was, { is, sql: renameConstraint(name) });
    for (const [was, is] of renamed.indexes) relations.set(was, { is, sql: renameIndex });
    for (const [was, is] of renamed.foreignKeys) keys.push(renameConstraint(name)(was, is));
    return [name, renamedTable(table, renamed)];
  });
  const ordered = inOrder(new Map([...relations].map(([was, { is }]) => [was, is])));
  const statements = ordered.map(({ from, to, ends }) => relations.get(ends?.was ?? from)?.sql(from, to) ?? "");
  return { tables, steps: [...statements, ...keys].map((sql): Step => ({ stage: "rename", sql })) };
};
