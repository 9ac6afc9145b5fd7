import type { Table, Tables } from "../snapshot.ts";
import { quote } from "../sql.ts";
import { type Draft, dare } from "../step.ts";
/** What stands under a name that something else gets by a rename, and goes: it has to go first. */
import { partsOf } from "./expand.ts";
import type { Renames } from "./renames.ts";

/** New names that something else has, which keeps it. */
const taken = (names: ReadonlyMap<string, string>, known: Readonly<Record<string, unknown>>): readonly string[] =>
  [...names.values()].filter((name) => Object.hasOwn(known, name) && !names.has(name));

const without = <Value>(record: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const withoutColumn = (table: Table, column: string): Table => {
  const parts = partsOf(table, column);
  return {
    ...table,
    columns: without(table.columns, [column]),
    indexes: without(table.indexes, Object.keys(parts.indexes)),
    foreignKeys: without(table.foreignKeys, Object.keys(parts.foreignKeys)),
    uniques: without(table.uniques, Object.keys(parts.uniques)),
  };
};

/** Tables that refer to one that goes, such as those of its links: without these constraints, and the SQL for that. */
const withoutReferences = (tables: Tables, name: string) => {
  const statements: string[] = [];
  const freed: Record<string, Table> = {};
  for (const [each, table] of Object.entries(tables)) {
    const keys = Object.keys(table.foreignKeys).filter((key) => table.foreignKeys[key]?.table === name);
    if (keys.length === 0) continue;
    statements.push(...keys.map((key) => `alter table ${quote(each)} drop constraint ${quote(key)};`));
    freed[each] = { ...table, foreignKeys: without(table.foreignKeys, keys) };
  }
  return { statements, tables: freed };
};

const drop = (draft: Draft, place: string, sql: string): void => {
  if (!dare(draft, `drop:${place}`, `${place} would be dropped, because another one gets its name`)) return;
  draft.steps.push({
    stage: "rename",
    sql,
    does: `drops ${place}, whose name another one gets`,
    locks: `${place.split(".")[0]}: everything, for a moment`,
    loses: `everything in ${place}`,
    breaks: true,
  });
};

/** Drops what is in the way of renames; returns the tables without it. */
export const clearNames = (draft: Draft, tables: Tables, { tables: tableNames, columns }: Renames): Tables => {
  const gone = taken(tableNames, tables);
  const left = without(tables, gone);
  for (const name of gone) {
    const freed = withoutReferences(left, name);
    drop(draft, name, [...freed.statements, `drop table ${quote(name)};`].join("\n\n"));
    Object.assign(left, freed.tables);
  }
  for (const [name, names] of columns) {
    for (const column of taken(names, left[name]?.columns ?? {})) {
      const table = left[name];
      if (!table) continue;
      drop(draft, `${name}.${column}`, `alter table ${quote(name)} drop column ${quote(column)};`);
      left[name] = withoutColumn(table, column);
    }
  }
  return left;
};
