/** The difference between two sets of tables, as statements. */
import { own } from "../own.ts";
import type { Table, Tables } from "../snapshot.ts";
import { columnDefinition, countRows, createIndex, quote, quoteAll } from "../sql.ts";
import { type Draft, dare } from "../step.ts";
import { changeComputed, endComputed, startComputed } from "./computed-columns.ts";
import { addColumn, alterColumns, dropColumn, type Knowledge } from "./diff-columns.ts";
import { addForeignKey, buildOnline, changeConstraints, changeIndexes } from "./diff-indexes.ts";

/** Tables of the runtime whose rows must stay as they are. */
const APPEND_ONLY = new Set(["audit_log"]);

const createTable = (draft: Draft, name: string, table: Table, old: Tables): void => {
  const lines = Object.entries(table.columns).map(([key, column]) => columnDefinition(key, column));
  if (table.primaryKey) {
    lines.push(`constraint ${quote(table.primaryKey.name)} primary key (${quoteAll(table.primaryKey.columns)})`);
  }
  for (const [key, columns] of Object.entries(table.uniques)) {
    lines.push(`constraint ${quote(key)} unique (${quoteAll(columns)})`);
  }
  draft.steps.push({
    stage: "create",
    sql: `create table ${quote(name)} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n);`,
    does: `creates table ${name}`,
  });
  startComputed(draft, name, table);
  if (APPEND_ONLY.has(name)) {
    const statement = `create trigger ${quote(`${name}_append_only`)} before update or delete or truncate on ${quote(name)}`;
    const sql = `${statement}\n  for each statement execute function galley_append_only();`;
    draft.steps.push({ stage: "create", sql });
  }
  // Validating many rows would block writers of what they reference.
  const isFilled = draft.steps.some(({ stage, sql }) => stage === "move" && sql.includes(quote(name)));
  for (const [key, foreignKey] of Object.entries(table.foreignKeys)) {
    const locks = Object.hasOwn(old, foreignKey.table) ? `${foreignKey.table}: writes, for a moment` : undefined;
    addForeignKey(draft, name, [key, foreignKey], { isChecked: !isFilled, locks });
  }
  for (const [key, index] of Object.entries(table.indexes)) {
    // If it reuses the name of a dropped index, it comes after that.
    if (Object.values(old).some(({ indexes }) => Object.hasOwn(indexes, key))) buildOnline(draft, name, key, index);
    else draft.steps.push({ stage: "index", sql: `${createIndex(key, name, index, false)};` });
  }
};

const dropTable = (draft: Draft, name: string, { columns }: Table, { settled, owners, before }: Knowledge): void => {
  const owner = owners.get(name) ?? name;
  if (!settled.has(name) && !dare(draft, `drop:${owner}`, `table ${name} would be dropped with all its rows`)) return;
  // For a removed type, its documents are counted.
  if (!settled.has(name) && owner === name && Object.hasOwn(columns, "version_id"))
    draft.concerns.push({ what: `links of ${name}`, sql: before(name, countRows(name, "true")) });
  const computed = Object.keys(columns).filter((key) => columns[key]?.computed !== undefined);
  draft.steps.push({
    stage: "drop",
    sql: `${computed.map((key) => endComputed(name, key)).join("")}drop table ${quote(name)};`,
    does: `drops table ${name}`,
    breaks: true,
    loses: settled.has(name) ? undefined : `every row of ${name}`,
  });
};

const changeTable = (draft: Draft, name: string, from: Table, to: Table, knowledge: Knowledge): void => {
  for (const [key, column] of Object.entries(to.columns)) {
    if (!Object.hasOwn(from.columns, key)) addColumn(draft, name, key, column, knowledge);
  }
  alterColumns(draft, name, from, to, knowledge);
  for (const key of Object.keys(from.columns))
    if (!Object.hasOwn(to.columns, key)) dropColumn(draft, name, key, knowledge);
  changeComputed(draft, name, from, to, knowledge);
  changeIndexes(draft, name, from, to, knowledge);
  changeConstraints(draft, name, from, to);
};

/** Adds to `draft` what turns the tables `old` into `next`. */
export const diffTables = (draft: Draft, old: Tables, next: Tables, knowledge: Knowledge): void => {
  for (const [name, table] of Object.entries(next)) {
    const from = own(old, name);
    if (from) changeTable(draft, name, from, table, knowledge);
    else createTable(draft, name, table, old);
  }
  for (const [name, table] of referrersFirst(old, next)) dropTable(draft, name, table, knowledge);
};

/** The tables of `old` that `next` lacks, each after those that reference it. */
const referrersFirst = (old: Tables, next: Tables): ReadonlyMap<string, Table> => {
  const dropped = Object.keys(old).filter((name) => !Object.hasOwn(next, name));
  const visited = new Set<string>();
  const ordered = new Map<string, Table>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const each of dropped) {
      if (Object.values(old[each]?.foreignKeys ?? {}).some(({ table }) => table === name)) visit(each);
    }
    const table = own(old, name);
    if (table) ordered.set(name, table);
  };
  dropped.forEach(visit);
  return ordered;
};

/** The same for sequences. */
export const diffSequences = (draft: Draft, old: readonly string[], next: readonly string[]): void => {
  for (const name of next.filter((each) => !old.includes(each)))
    draft.steps.push({ stage: "create", sql: `create sequence ${quote(name)};`, does: `creates sequence ${name}` });
  for (const name of old.filter((each) => !next.includes(each)))
    draft.steps.push({
      stage: "drop",
      sql: `drop sequence ${quote(name)};`,
      does: `drops sequence ${name}`,
      breaks: true,
    });
};
