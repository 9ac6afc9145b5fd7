/** Indexes and constraints that are named after what is renamed, and names of them that something else gets. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { own } from "../own.ts";
import type { Table, Tables } from "../snapshot.ts";
import { quote } from "../sql.ts";
import type { Step } from "../step.ts";
import { inOrder } from "./rename-order.ts";
import { mapRecord } from "./renames.ts";
import { ASIDE } from "./set-aside.ts";

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

const renameIndex = (from: string, to: string): string => `alter index ${quote(from)} rename to ${quote(to)};`;

const aside = (names: Iterable<string>): readonly (readonly [was: string, is: string])[] =>
  [...names].map((name) => [name, identifier(ASIDE, name)]);

/** Names of indexes, and of constraints with one: all tables share them. */
const relationsOf = ({ primaryKey, indexes, uniques }: Table): readonly string[] => [
  ...(primaryKey ? [primaryKey.name] : []),
  ...Object.keys(indexes),
  ...Object.keys(uniques),
];

/** What becomes of the names in one table: old name to new name. */
interface Renamed {
  readonly primaryKey: ReadonlyMap<string, string>;
  readonly indexes: ReadonlyMap<string, string>;
  readonly uniques: ReadonlyMap<string, string>;
  readonly foreignKeys: ReadonlyMap<string, string>;
}

const nothing: Table = { columns: {}, indexes: {}, uniques: {}, foreignKeys: {} };

const keyName = (before: Table, after: Table): ReadonlyMap<string, string> => {
  const [was, is] = [before.primaryKey, after.primaryKey];
  const isRenamed = was && is && was.columns.join() === is.columns.join() && was.name !== is.name;
  return new Map(isRenamed ? [[was.name, is.name]] : []);
};

/** @param wanted whether an index or constraint of another table gets that name */
const renamedIn = (before: Table, after: Table, wanted: (name: string) => boolean): Renamed => {
  const matched: Renamed = {
    primaryKey: keyName(before, after),
    indexes: matchNames(before.indexes, after.indexes),
    uniques: matchNames(before.uniques, after.uniques),
    foreignKeys: matchNames(before.foreignKeys, after.foreignKeys),
  };
  const leaving = (names: Iterable<string>, known: ReadonlyMap<string, string>) =>
    new Map([...aside([...names].filter(wanted)), ...known]);
  // One that comes with its column needs the name before this one goes.
  const keys = Object.keys(before.foreignKeys).filter((name) => {
    const next = own(after.foreignKeys, name);
    return next !== undefined && JSON.stringify(next) !== JSON.stringify(before.foreignKeys[name]);
  });
  return {
    primaryKey: leaving(before.primaryKey ? [before.primaryKey.name] : [], matched.primaryKey),
    indexes: leaving(Object.keys(before.indexes), matched.indexes),
    uniques: leaving(Object.keys(before.uniques), matched.uniques),
    foreignKeys: new Map([...aside(keys), ...matched.foreignKeys]),
  };
};

const renamedTable = (table: Table, { primaryKey, indexes, uniques, foreignKeys }: Renamed): Table => ({
  ...table,
  ...(table.primaryKey
    ? { primaryKey: { ...table.primaryKey, name: primaryKey.get(table.primaryKey.name) ?? table.primaryKey.name } }
    : {}),
  indexes: rekey(table.indexes, indexes),
  foreignKeys: rekey(table.foreignKeys, foreignKeys),
  uniques: rekey(table.uniques, uniques),
});

/**
 * Renames what is named after a table or column that was renamed, instead of building it again; what goes later, and has
 * a name that something else gets, steps aside.
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
  return { tables, steps: [...statements, ...keys].map((sql): Step => ({ stage: "rename", sql, does: "" })) };
};
