/** The difference between two sets of tables, as statements. */
import { conversion } from "./convert.ts";
import type { Column, Index, Table, Tables } from "./snapshot.ts";
import { columnDefinition, createIndex, quote, quoteAll, references } from "./sql.ts";
import { type Draft, dare, type Stage, type Step } from "./step.ts";

/** What is known beyond the tables themselves. Columns are named `table.column`. */
export interface Knowledge {
  /** Values for the existing rows of a new column. */
  readonly initial: ReadonlyMap<string, string>;
  /** SQL expressions for columns that change their type. */
  readonly converts: ReadonlyMap<string, string>;
  /** Tables and columns whose content the migration has carried over, or that hold nothing of their own. */
  readonly settled: ReadonlySet<string>;
  /** Tables that belong to a dropped one: allowed together with it. Link table to its owner. */
  readonly owners: ReadonlyMap<string, string>;
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const buildOnline = (draft: Draft, table: string, key: string, index: Index): void => {
  draft.steps.push({
    stage: "online",
    // What an interrupted run left behind is not usable.
    sql: `drop index concurrently if exists ${quote(key)};\n\n${createIndex(key, table, index, true)};`,
    does: `indexes ${table}: ${key}`,
  });
};

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
  for (const [key, foreignKey] of Object.entries(table.foreignKeys)) {
    draft.steps.push({
      stage: "constraint",
      sql: `alter table ${quote(name)} add constraint ${quote(key)}\n  foreign key (${quoteAll(foreignKey.columns)}) ${references(foreignKey)};`,
      does: "",
      ...(Object.hasOwn(old, foreignKey.table) ? { locks: `${foreignKey.table}: writes, for a moment` } : {}),
    });
  }
  for (const [key, index] of Object.entries(table.indexes)) {
    // Its name may be that of an index that goes: then it comes after that.
    if (Object.values(old).some(({ indexes }) => Object.hasOwn(indexes, key))) buildOnline(draft, name, key, index);
    else draft.steps.push({ stage: "index", sql: `${createIndex(key, name, index, false)};`, does: "" });
  }
};

const dropTable = (draft: Draft, name: string, { settled, owners }: Knowledge): void => {
  const owner = owners.get(name) ?? name;
  if (!settled.has(name) && !dare(draft, `drop:${owner}`, `table ${name} would be dropped with all its rows`)) return;
  draft.steps.push({
    stage: "drop",
    sql: `drop table ${quote(name)};`,
    does: `drops table ${name}`,
    ...(settled.has(name) ? {} : { loses: `every row of ${name}` }),
  });
};

/** The foreign key of a column that has one of its own. */
const ownKey = (table: Table, column: string) =>
  Object.entries(table.foreignKeys).find(([, { columns }]) => columns.length === 1 && columns[0] === column);

const addColumn = (draft: Draft, name: string, table: Table, key: string, column: Column, { initial }: Knowledge) => {
  const value = initial.get(`${name}.${key}`);
  const foreignKey = ownKey(table, key);
  const constraint = foreignKey ? ` constraint ${quote(foreignKey[0])} ${references(foreignKey[1])}` : "";
  const definition = columnDefinition(key, value === undefined ? column : { ...column, default: value });
  draft.steps.push({
    stage: "create",
    sql: `alter table ${quote(name)} add column ${definition}${constraint};`,
    does: `adds ${name}.${key}`,
    locks: `${name}: everything, for a moment`,
  });
  if (value === undefined || column.default !== undefined) return;
  draft.steps.push({
    stage: "create",
    sql: `alter table ${quote(name)} alter column ${quote(key)} drop default;`,
    does: "",
  });
};

const dropColumn = (draft: Draft, name: string, key: string, { settled }: Knowledge): void => {
  const place = `${name}.${key}`;
  if (!settled.has(place) && !dare(draft, `drop:${place}`, `column ${place} would be dropped with all its values`)) {
    return;
  }
  draft.steps.push({
    stage: "drop",
    sql: `alter table ${quote(name)} drop column ${quote(key)};`,
    does: `drops ${place}`,
    locks: `${name}: everything, for a moment`,
    ...(settled.has(place) ? {} : { loses: `every value of ${place}` }),
  });
};

/** Drops the column and makes it anew, for types that do not convert. */
const replaceColumn = (draft: Draft, name: string, key: string, column: Column): void => {
  draft.steps.push({
    stage: "alter",
    sql: `alter table ${quote(name)} drop column ${quote(key)};\n\nalter table ${quote(name)} add column ${columnDefinition(key, column)};`,
    does: `makes ${name}.${key} anew as ${column.type}`,
    locks: `${name}: everything, for a moment`,
    loses: `every value of ${name}.${key}`,
  });
};

const alterType = (draft: Draft, name: string, key: string, from: Column, to: Column, knowledge: Knowledge): void => {
  const place = `${name}.${key}`;
  // On the way back a value is read from its text; one that cannot be stops the migration.
  const unwritten = draft.way === "down" ? `${quote(key)}::text::${to.type}` : undefined;
  const written = knowledge.converts.get(place);
  const known = conversion(from.type, to.type, quote(key));
  if (written === undefined && unwritten === undefined && known.kind === "unknown") {
    const reason =
      `${place} changes from ${from.type} to ${to.type}, which PostgreSQL cannot do by itself: write an SQL expression ` +
      `for it on the attribute, such as "convert": ${JSON.stringify(`${quote(key)}::text::${to.type}`)}, or empty it`;
    if (dare(draft, `drop:${place}`, reason)) replaceColumn(draft, name, key, to);
    return;
  }
  if (written === undefined && known.kind === "narrowing") {
    const reason = `${place} narrows from ${from.type} to ${to.type}: ${known.reason}`;
    if (!dare(draft, `narrow:${place}`, reason)) return;
  }
  const using = written ?? (known.kind === "unknown" ? unwritten : "using" in known ? known.using : undefined);
  draft.steps.push({
    stage: "alter",
    sql: `alter table ${quote(name)} alter column ${quote(key)} type ${to.type}${using === undefined ? "" : ` using (${using})`};`,
    does: `changes ${place} from ${from.type} to ${to.type}`,
    locks: known.kind === "free" ? `${name}: everything, for a moment` : `${name}: everything, while it is rewritten`,
    ...(written === undefined && known.kind === "narrowing" ? { loses: `${place}: ${known.reason}` } : {}),
  });
};

const setNotNull = (draft: Draft, name: string, key: string): void => {
  const check = quote(`${key}_not_null`.slice(-63));
  const table = quote(name);
  const add = (stage: Stage, sql: string, does: string) =>
    draft.steps.push({ stage, sql: `alter table ${table} ${sql};`, does });
  // The check is proven without a lock; after it PostgreSQL need not read the table to believe "not null".
  add(
    "alter",
    `drop constraint if exists ${check}, add constraint ${check} check (${quote(key)} is not null) not valid`,
    "",
  );
  add("online", `validate constraint ${check}`, `forbids null in ${name}.${key}`);
  add("online", `alter column ${quote(key)} set not null, drop constraint if exists ${check}`, "");
};

const alterColumn = (draft: Draft, name: string, key: string, from: Column, to: Column, knowledge: Knowledge): void => {
  const alter = `alter table ${quote(name)} alter column ${quote(key)}`;
  const locks = `${name}: everything, for a moment`;
  if (from.type !== to.type) alterType(draft, name, key, from, to, knowledge);
  if (from.default !== to.default) {
    const sql = to.default === undefined ? `${alter} drop default;` : `${alter} set default ${to.default};`;
    draft.steps.push({ stage: "alter", sql, does: `changes the default of ${name}.${key}`, locks });
  }
  if (from.notNull === to.notNull) return;
  if (to.notNull) setNotNull(draft, name, key);
  else
    draft.steps.push({ stage: "alter", sql: `${alter} drop not null;`, does: `allows null in ${name}.${key}`, locks });
};

/**
 * Indexes that go, and new ones. What goes serves until the new ones are built, except before rows move: a unique index
 * could forbid what they become.
 */
const changeIndexes = (draft: Draft, name: string, from: Table, to: Table): void => {
  const rowsMove = draft.steps.some(({ stage }) => stage === "move");
  const isDropped = (part: string): boolean =>
    Object.keys(from.columns).some((column) => !Object.hasOwn(to.columns, column) && part.includes(quote(column)));
  const outlived: Step[] = [];
  for (const [key, index] of Object.entries(from.indexes)) {
    const kept = to.indexes[key];
    const losesColumn = [...index.on, index.where ?? ""].some(isDropped);
    // An index goes with its column.
    if ((kept && sameJson(index, kept)) || (!index.unique && losesColumn)) continue;
    const does = kept ? "" : `drops index ${key}`;
    if (kept || losesColumn || rowsMove) {
      draft.steps.push({
        stage: index.unique ? "create" : "drop",
        sql: `drop index if exists ${quote(key)};`,
        does,
        locks: `${name}: everything, for a moment`,
      });
    } else outlived.push({ stage: "online", sql: `drop index concurrently if exists ${quote(key)};`, does });
  }
  for (const [key, index] of Object.entries(to.indexes)) {
    const old = from.indexes[key];
    if (old && sameJson(index, old)) continue;
    buildOnline(draft, name, key, index);
  }
  draft.steps.push(...outlived);
};

const changeConstraints = (draft: Draft, name: string, from: Table, to: Table): void => {
  const table = quote(name);
  for (const [key, foreignKey] of Object.entries(from.foreignKeys)) {
    const goesWithColumn = foreignKey.columns.some((column) => !Object.hasOwn(to.columns, column));
    if (goesWithColumn || sameJson(foreignKey, to.foreignKeys[key])) continue;
    draft.steps.push({
      // One that comes back under its name has to make room for itself.
      stage: Object.hasOwn(to.foreignKeys, key) ? "create" : "drop",
      sql: `alter table ${table} drop constraint ${quote(key)};`,
      does: `drops constraint ${key}`,
    });
  }
  for (const [key, foreignKey] of Object.entries(to.foreignKeys)) {
    const comesWithColumn =
      foreignKey.columns.length === 1 && !Object.hasOwn(from.columns, foreignKey.columns[0] ?? "");
    if (comesWithColumn || sameJson(foreignKey, from.foreignKeys[key])) continue;
    draft.steps.push({
      stage: "constraint",
      sql: `alter table ${table} add constraint ${quote(key)}\n  foreign key (${quoteAll(foreignKey.columns)}) ${references(foreignKey)} not valid;`,
      does: `adds constraint ${key}`,
      locks: `${name} and ${foreignKey.table}: writes, for a moment`,
    });
    draft.steps.push({ stage: "online", sql: `alter table ${table} validate constraint ${quote(key)};`, does: "" });
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

const changeTable = (draft: Draft, name: string, from: Table, to: Table, knowledge: Knowledge): void => {
  for (const [key, column] of Object.entries(to.columns)) {
    const old = from.columns[key];
    if (old) alterColumn(draft, name, key, old, column, knowledge);
    else addColumn(draft, name, to, key, column, knowledge);
  }
  for (const key of Object.keys(from.columns))
    if (!Object.hasOwn(to.columns, key)) dropColumn(draft, name, key, knowledge);
  changeIndexes(draft, name, from, to);
  changeConstraints(draft, name, from, to);
};

/** Adds to `draft` what turns the tables `old` into `next`. */
export const diffTables = (draft: Draft, old: Tables, next: Tables, knowledge: Knowledge): void => {
  for (const [name, table] of Object.entries(next)) {
    const from = old[name];
    if (from) changeTable(draft, name, from, table, knowledge);
    else createTable(draft, name, table, old);
  }
  for (const name of referrersFirst(old, next)) dropTable(draft, name, knowledge);
};

/** The tables of `old` that `next` lacks, each after those that refer to it. */
const referrersFirst = (old: Tables, next: Tables): ReadonlySet<string> => {
  const dropped = Object.keys(old).filter((name) => !Object.hasOwn(next, name));
  const visited = new Set<string>();
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const each of dropped) {
      if (Object.values(old[each]?.foreignKeys ?? {}).some(({ table }) => table === name)) visit(each);
    }
    ordered.add(name);
  };
  dropped.forEach(visit);
  return ordered;
};

/** The same for sequences. */
export const diffSequences = (draft: Draft, old: readonly string[], next: readonly string[]): void => {
  for (const name of next) {
    if (old.includes(name)) continue;
    draft.steps.push({ stage: "create", sql: `create sequence ${quote(name)};`, does: `creates sequence ${name}` });
  }
  for (const name of old) {
    if (next.includes(name)) continue;
    draft.steps.push({ stage: "drop", sql: `drop sequence ${quote(name)};`, does: `drops sequence ${name}` });
  }
};
