/** Reads Drizzle tables into the plain form that snapshots hold. */
import { is, SQL } from "drizzle-orm";
import {
  getTableConfig,
  isPgSequence,
  PgDialect,
  PgTable,
  type AnyPgColumn,
  type Index as DrizzleIndex,
} from "drizzle-orm/pg-core";
import { identifier } from "../../../runtime/base/identifier.ts";
import type { Column, ForeignKey, Index, Snapshot, Table } from "../snapshot.ts";
import { quote, literal } from "../sql.ts";

const dialect = new PgDialect();

/** Texts in quotes, which may contain the name of the table, too. */
const QUOTED = /('(?:[^']|'')*')/;

/** The text of an expression, with its values inlined and without the name of its own table. */
const expressionText = (expression: SQL, table: string): string =>
  dialect
    .sqlToQuery(expression.inlineParams())
    .sql.split(QUOTED)
    .map((part) => (QUOTED.test(part) ? part : part.replaceAll(`${quote(table)}.`, "")))
    .join("");

const defaultText = (column: AnyPgColumn, table: string): string | undefined => {
  const value: unknown = column.default;
  if (value === undefined) return undefined;
  if (is(value, SQL)) return expressionText(value, table);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : literal(String(value));
};

const computedText = ({ generated }: AnyPgColumn, table: string): string | undefined => {
  const value: unknown = typeof generated?.as === "function" ? generated.as() : generated?.as;
  return is(value, SQL) ? expressionText(value, table) : undefined;
};

const describeColumn = (column: AnyPgColumn, table: string): Column => {
  const value = defaultText(column, table);
  const computed = computedText(column, table);
  return {
    type: column.getSQLType(),
    ...(column.notNull || column.primary ? { notNull: true } : {}),
    ...(column.generatedIdentity ? { identity: true } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...(computed === undefined ? {} : { computed }),
  };
};

type IndexedColumn = DrizzleIndex["config"]["columns"][number];

const isNamed = (part: IndexedColumn): part is IndexedColumn & { readonly name: string } =>
  "name" in part && typeof part.name === "string";

const indexedText = (part: IndexedColumn, table: string): string => {
  if (is(part, SQL)) return expressionText(part, table);
  if (!isNamed(part)) throw new Error(`an index of ${table} has a part without a name`);
  const order = "indexConfig" in part ? part.indexConfig : undefined;
  const descending = order?.order === "desc" ? " desc" : "";
  return `${quote(part.name)}${descending}`;
};

const describeIndex = ({ config }: DrizzleIndex, table: string): Index => ({
  on: config.columns.map((part) => indexedText(part, table)),
  ...(config.unique ? { unique: true } : {}),
  ...(config.where ? { where: expressionText(config.where, table) } : {}),
  ...(config.method && config.method !== "btree" ? { method: config.method } : {}),
});

const names = (columns: readonly AnyPgColumn[]): string[] => columns.map(({ name }) => name);

const primaryKeyOf = (config: ReturnType<typeof getTableConfig>): Table["primaryKey"] => {
  const [composite] = config.primaryKeys;
  if (composite) return { name: identifier(composite.getName()), columns: names(composite.columns) };
  const columns = names(config.columns.filter(({ primary }) => primary));
  return columns.length > 0 ? { name: identifier(config.name, "pkey"), columns } : undefined;
};

/** The name of a constraint or index, which must exist, as all of ours do. */
const named = (name: string | undefined, table: string): string => {
  if (name === undefined) throw new Error(`an index of ${table} has no name`);
  return name;
};

const describeTable = (table: PgTable): [string, Table] => {
  const config = getTableConfig(table);
  const primaryKey = primaryKeyOf(config);
  const foreignKeys = config.foreignKeys.map((key): [string, ForeignKey] => {
    const { columns, foreignColumns, foreignTable } = key.reference();
    const target = getTableConfig(foreignTable).name;
    return [
      // Drizzle's own names may be longer than PostgreSQL allows.
      identifier(key.getName()),
      {
        columns: names(columns),
        table: target,
        references: names(foreignColumns),
        onDelete: key.onDelete ?? "no action",
      },
    ];
  });
  const uniqueColumns = config.columns
    .filter(({ isUnique }) => isUnique)
    .map((column): [string, string[]] => [named(column.uniqueName, config.name), [column.name]]);
  return [
    config.name,
    {
      columns: Object.fromEntries(config.columns.map((column) => [column.name, describeColumn(column, config.name)])),
      ...(primaryKey ? { primaryKey } : {}),
      uniques: Object.fromEntries([
        ...uniqueColumns,
        ...config.uniqueConstraints.map(
          (unique) => [named(unique.getName(), config.name), names(unique.columns)] as const,
        ),
      ]),
      indexes: Object.fromEntries(
        config.indexes.map((index) => [named(index.config.name, config.name), describeIndex(index, config.name)]),
      ),
      foreignKeys: Object.fromEntries(foreignKeys),
    },
  ];
};

/** Tables and sequences among the exports of modules, by the code-unit order of their names. */
export const describeTables = (exports: Iterable<unknown>): Pick<Snapshot, "tables" | "sequences"> => {
  const tables: [string, Table][] = [];
  const sequences: string[] = [];
  for (const value of new Set(exports)) {
    if (is(value, PgTable)) tables.push(describeTable(value));
    else if (isPgSequence(value) && value.seqName !== undefined) sequences.push(value.seqName);
  }
  tables.sort(([a], [b]) => (a < b ? -1 : 1));
  return { tables: Object.fromEntries(tables), sequences: sequences.sort() };
};
