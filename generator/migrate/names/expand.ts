import type { Expanded, Snapshot, Table, Tables } from "../snapshot.ts";
import { quote } from "../sql.ts";
/**
 * Renames in two migrations, between which builds with the old name and builds with the new one work side by side: the
 * first adds the new name and keeps both in step, the second takes the old one away.
 */
import type { Renames } from "./renames.ts";

type TwoColumns = Expanded["columns"][number];

const none: Expanded = { columns: [], links: [] };

export const expandedIn = ({ expanded = none }: Snapshot): Expanded => expanded;

const isSame = (a: TwoColumns, b: TwoColumns): boolean => a.table === b.table && a.old === b.old && a.new === b.new;

/** What `some` has and `others` lacks. */
export const withoutColumns = (some: Expanded, others: Expanded): readonly TwoColumns[] =>
  some.columns.filter((each) => !others.columns.some((other) => isSame(each, other)));

export const withoutLinks = (some: Expanded, others: Expanded): Expanded["links"] =>
  some.links.filter((each) => !others.links.some((other) => other.old === each.old));

/** Renames possible in two steps: columns that keep their type, and link tables, whose new names are free. */
export const expandable = ({ tables, columns }: Renames, old: Snapshot, next: Snapshot): Expanded => {
  const owners = new Set(Object.values(old.contentTypes).map(({ table }) => table));
  return {
    columns: [...columns].flatMap(([table, names]) =>
      [...names]
        .filter(([was, is]) => old.tables[table]?.columns[was]?.type === next.tables[table]?.columns[is]?.type)
        .filter(([, is]) => !Object.hasOwn(old.tables[table]?.columns ?? {}, is))
        .map(([was, is]) => ({ table, old: was, new: is })),
    ),
    links: [...tables]
      .filter(([was, is]) => !owners.has(was) && !Object.hasOwn(old.tables, is))
      .map(([was, is]) => ({ old: was, new: is })),
  };
};

/** The remaining renames when those in two steps are not done by renaming. */
export const withoutExpanded = ({ tables, columns }: Renames, old: Snapshot, next: Snapshot): Renames => {
  const expanded = [...expandedIn(old).columns, ...expandedIn(next).columns];
  const isKept = (table: string, a: string, b: string): boolean =>
    expanded.some(
      (each) => each.table === table && [each.old, each.new].includes(a) && [each.old, each.new].includes(b),
    );
  return {
    tables,
    columns: new Map(
      [...columns].map(([table, names]) => [table, new Map([...names].filter(([was, is]) => !isKept(table, was, is)))]),
    ),
  };
};

const pick = <Part>(parts: Readonly<Record<string, Part>>, isMeant: (part: Part) => boolean) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => isMeant(part)));

/** The parts of a table that depend on one of its columns: indexes and constraints that mention it. */
const partsOf = (
  { indexes, foreignKeys, uniques }: Table,
  column: string,
): Pick<Table, "indexes" | "foreignKeys" | "uniques"> => ({
  indexes: pick(indexes, ({ on, where = "" }) => [...on, where].some((text) => text.includes(quote(column)))),
  foreignKeys: pick(foreignKeys, ({ columns }) => columns.includes(column)),
  uniques: pick(uniques, (columns) => columns.includes(column)),
});

/** The tables with the old columns beside the new ones; `old` are those that have them. */
export const withOldColumns = (tables: Tables, old: Tables, { columns }: Expanded): Snapshot["tables"] => {
  const result = { ...tables };
  for (const each of columns) {
    const [table, before] = [result[each.table], old[each.table]];
    const column = before?.columns[each.old];
    if (!table || !before || !column) continue;
    const parts = partsOf(before, each.old);
    result[each.table] = {
      ...table,
      columns: { ...table.columns, [each.old]: column },
      indexes: { ...parts.indexes, ...table.indexes },
      foreignKeys: { ...parts.foreignKeys, ...table.foreignKeys },
      uniques: { ...parts.uniques, ...table.uniques },
    };
  }
  return result;
};

/** Half-done renames whose new name the tables no longer have, such as one that is renamed again. */
export const lostNames = ({ columns, links }: Expanded, tables: Tables): readonly string[] => [
  ...columns
    .filter((each) => !Object.hasOwn(tables[each.table]?.columns ?? {}, each.new))
    .map((each) => `${each.table}.${each.old} and ${each.new}`),
  ...links.filter((each) => !Object.hasOwn(tables, each.new)).map((each) => `${each.old} and ${each.new}`),
];
