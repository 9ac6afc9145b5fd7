/** The rows of versions: their columns, conditions on them, and the statements that load and delete them. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { remembering } from "../../base/remembering.ts";
import { type Bound, numberOf, requiredText, type Row, statementOf, type Value } from "../../database/database.ts";
import { NOT_STORED } from "../../database/fault.ts";
import { INSIDE } from "../../database/transaction.ts";
import { documents } from "../../schema/columns.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributesOf } from "../attributes.ts";

/** A column of an attribute. A to-one relation may have two further columns, `position` and `type`. */
export interface StoredColumn {
  readonly key: string;
  readonly attribute: Attribute;
  readonly column: AnyPgColumn;
  readonly role: "value" | "position" | "type";
}

/** What identifies a version. */
export interface VersionKey {
  readonly documentId: string;
  readonly locale: string | null;
  readonly status: Status;
}

/** A version of a document, stored or to be stored. */
export interface Version extends VersionKey {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  /** The values by the key of the column: the attribute's name, `name:position`, or `name:type`. */
  readonly values: Readonly<Record<string, Value>>;
}

export interface LoadedVersion extends Version {
  readonly id: number;
}

const columnsOfAttribute = (name: string, attribute: Attribute): StoredColumn[] => {
  if (!("column" in attribute)) return [];
  const columns: StoredColumn[] = [{ key: name, attribute, column: attribute.column, role: "value" }];
  if ("typeColumn" in attribute) {
    columns.push({ key: `${name}:type`, attribute, column: attribute.typeColumn, role: "type" });
  }
  if ("inversePosition" in attribute && attribute.inversePosition) {
    columns.push({ key: `${name}:position`, attribute, column: attribute.inversePosition, role: "position" });
  }
  return columns;
};

/** The columns of all attributes of the type, in the order of the schema. */
export const storedColumns = remembering((type: ContentType): readonly StoredColumn[] =>
  attributesOf(type).flatMap(([name, attribute]) => columnsOfAttribute(name, attribute)),
);

export const named = (column: AnyPgColumn): SQL => sql`${sql.identifier(column.name)}`;
export const value = (name: string): SQL => sql`${sql.placeholder(name)}`;
export const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/**
 * A list of values. As a subquery, it has the same estimate whatever its length. So PostgreSQL keeps one plan for all
 * lengths; otherwise it would plan the statement anew each time. Among lists that are unnested together, one is enough.
 */
export const givenList = (name: string, type: SQL): SQL => sql`(select ${value(name)}::${type}[])`;

/** The values of a list, to compare one with. */
export const anyOf = (name: string, type: "text" | "int"): SQL =>
  sql`any(${givenList(name, sql.raw(type))}::${sql.raw(type)}[])`;

/** Matches rows of the locale to be written; all rows of types without locales, whose statements do not bind it. */
export const inLocale = ({ table }: ContentType): SQL =>
  table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;

/** The column's type without its length: a cast to a type with a length would truncate longer texts silently. */
export const sqlTypeOf = (column: AnyPgColumn): SQL => sql.raw(column.getSQLType().replace(/\s*\(.*?\)/, ""));

/** Matches rows of one status; types without draft & publish have only published rows. */
export const hasStatus = ({ table }: ContentType, status: Status): SQL =>
  status === "draft" ? sql`${table.publishedAt} is null` : sql`${table.publishedAt} is not null`;

/**
 * The same, for conditions that also name the document: in this form, the planner uses the index of versions. With
 * {@link hasStatus} it may read all drafts instead, because it expects few of them while a table has no statistics; in
 * an embedded database it never has any.
 */
export const isOfStatus = ({ table }: ContentType, status: Status): SQL =>
  sql`(${table.publishedAt} is not null) is ${sql.raw(String(status === "published"))}`;

/** Seconds since the beginning of 2020. */
const clock = sql.raw("extract(epoch from now())::int - 1577836800");

/**
 * The position at the end of the list of links to `target`. New positions at the end come from the clock, while a list
 * that is set is numbered from one. So a link added while another transaction sets the list comes after it, without a
 * lock that all additions would have to wait for.
 */
export const endOfList = (links: PgTable, leadsTo: AnyPgColumn, position: AnyPgColumn, target: SQL): SQL =>
  sql`(select greatest(coalesce(max(${position}), 0) + 1, ${clock}) from ${links} where ${leadsTo} = ${target})`;

/**
 * Fails unless `holds`, by casting a text that is not a number. A trigger of the project, or a row-level policy, may
 * skip a row without an error; and since the commit is often sent along with a statement, its result would be seen too
 * late. Fails outside a transaction too, so it may be sent together with `begin`.
 */
export const demand = (holds: SQL, fault = NOT_STORED): SQL =>
  sql`select 1 where (case when ${holds} then '1' else '${sql.raw(fault)}' end)::int${sql.raw(INSIDE)}`;

/** The id of the row with the values `documentId` and `locale`, for link tables. */
export const versionId = (type: ContentType, status: Status): SQL => {
  const { table } = type;
  return sql`(select ${table.id} from ${table} where ${table.documentId} = ${value("documentId")} and ${isOfStatus(type, status)}${inLocale(type)})`;
};

const loaded = (type: ContentType): readonly AnyPgColumn[] => {
  const { table } = type;
  const system = [table.id, table.documentId, table.publishedAt, table.createdAt, table.updatedAt];
  return [...system, ...(table.locale ? [table.locale] : []), ...storedColumns(type).map(({ column }) => column)];
};

/** Loads and locks all versions of some documents, because writers of other documents may change relations in them. */
export const loadVersions = (type: ContentType, documentIds: readonly string[]): Bound => {
  const { table } = type;
  const statement = statementOf(
    table,
    "load",
    () =>
      sql`select ${list(loaded(type).map((column) => sql`${column}`))} from ${table} where ${table.documentId} = ${anyOf("documentIds", "text")} order by ${table.id} for no key update`,
  );
  return { statement, values: { documentIds } };
};

/** The number of columns before the locale and the attributes. */
const SYSTEM_COLUMNS = 5;

export const readVersion = (type: ContentType, row: Row): LoadedVersion => {
  const [id, documentId, publishedAt, createdAt, updatedAt] = row;
  const locale = type.table.locale ? requiredText(row[SYSTEM_COLUMNS]) : null;
  const first = SYSTEM_COLUMNS + (type.table.locale ? 1 : 0);
  const values: Record<string, Value> = {};
  for (const [index, { key }] of storedColumns(type).entries()) values[key] = row[first + index] ?? null;
  return {
    id: numberOf(id),
    documentId: requiredText(documentId),
    locale,
    status: publishedAt === null ? "draft" : "published",
    createdAt: requiredText(createdAt),
    updatedAt: requiredText(updatedAt),
    publishedAt: publishedAt === null ? null : requiredText(publishedAt),
    values,
  };
};

/** Which versions of some documents are meant. */
interface Selected {
  /** Undefined for all. */
  readonly locales?: readonly string[] | undefined;
  /** Both by default. */
  readonly status?: Status;
}

/** Binds a statement about versions of `documentIds`; `query` builds it from the rows to affect. */
const about = (
  purpose: "delete" | "demand gone",
  type: ContentType,
  documentIds: readonly string[],
  { locales, status, query }: Selected & { query(rows: SQL): SQL },
): Bound => {
  const { table } = type;
  const inLocales = table.locale && locales ? table.locale : undefined;
  const statement = statementOf(table, `${purpose} ${status ?? ""} ${inLocales ? "locales" : ""}`, () => {
    const locale = inLocales ? sql` and ${inLocales} = any(${value("locales")}::text[])` : sql``;
    const only = status ? sql` and ${hasStatus(type, status)}` : sql``;
    return query(sql`from ${table} where ${table.documentId} = any(${value("documentIds")}::text[])${locale}${only}`);
  });
  return { statement, values: { documentIds, ...(inLocales ? { locales: locales ?? [] } : {}) } };
};

/**
 * Fails unless the versions are gone: a trigger or policy of the project may keep rows without an error, also those that
 * are deleted with their document.
 */
const demandGone = (type: ContentType, documentIds: readonly string[], selected: Selected): Bound =>
  about("demand gone", type, documentIds, {
    ...selected,
    query: (rows) => demand(sql`not exists (select ${rows})`),
  });

/** Deletes versions of documents. */
export const deleteVersions = (
  type: ContentType,
  documentIds: readonly string[],
  selected: Selected,
): readonly Bound[] => [
  about("delete", type, documentIds, { ...selected, query: (rows) => sql`delete ${rows}` }),
  demandGone(type, documentIds, selected),
];

/** Deletes documents of one type; the database deletes their versions and all links to them. */
export const deleteDocuments = (type: ContentType, documentIds: readonly string[]): readonly Bound[] => [
  {
    statement: statementOf(
      documents,
      "delete",
      () => sql`delete from ${documents} where ${documents.documentId} = any(${value("documentIds")}::text[])`,
    ),
    values: { documentIds },
  },
  demandGone(type, documentIds, {}),
];
