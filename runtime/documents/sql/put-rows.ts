/** The parts of statements that insert and update the row of one version. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { endOfList } from "./place.ts";
import { isVersion, list, named, type StoredColumn, storedColumns, value } from "./version.ts";

/** A column, and the expression for its value. */
export type Assigned = readonly [column: AnyPgColumn, value: SQL];

/** The position in the inverse list: the given one, else that in the version that is copied, else the end. */
const position = (type: ContentType, { key, column, attribute }: StoredColumn, status: Status): SQL => {
  const { table } = type;
  const owner = "column" in attribute ? attribute.column : column;
  const target = value(key.replace(/:position$/, ""));
  const isCopied = type.draftAndPublish && status === "published";
  const inDraft = isCopied
    ? sql`, (select ${column} from ${table} where ${isVersion(type, "draft")} and ${owner} = ${target})`
    : sql``;
  return sql`case when ${target}::text is null then null else coalesce(${value(key)}::integer${inDraft}, ${endOfList(table, owner, column, target)}) end`;
};

const columnValue = (type: ContentType, stored: StoredColumn, status: Status): SQL =>
  stored.role === "position" ? position(type, stored, status) : value(stored.key);

/** The columns that a version keeps, with the values that are bound for it. */
export const givenRow = (type: ContentType, status: Status): readonly Assigned[] => {
  const { table } = type;
  return [
    [table.createdAt, value("createdAt")],
    [table.updatedAt, value("updatedAt")],
    [table.publishedAt, value("publishedAt")],
    ...storedColumns(type).map((each): Assigned => [each.column, columnValue(type, each, status)]),
  ];
};

/** The columns that name a version's document and locale, with the values that are bound for it. */
export const givenKeys = ({ table }: ContentType): readonly Assigned[] => [
  [table.documentId, value("documentId")],
  ...(table.locale ? [[table.locale, value("locale")] as const] : []),
];

const columnsOf = (row: readonly Assigned[]): SQL => list(row.map(([column]) => named(column)));
const valuesOf = (row: readonly Assigned[]): SQL => list(row.map(([, each]) => each));

/** Inserts a row; with `from`, from the rows of another expression. */
export const insertRow = ({ table }: ContentType, row: readonly Assigned[], from?: SQL): SQL => {
  const into = sql`insert into ${table} (${columnsOf(row)})`;
  return from ? sql`${into} select ${valuesOf(row)} from ${from}` : sql`${into} values (${valuesOf(row)})`;
};

/** Updates the version in a status; with `from`, from the row of another expression. */
export const updateRow = (type: ContentType, status: Status, row: readonly Assigned[], from?: SQL): SQL => {
  const set = list(row.map(([column, each]) => sql`${named(column)} = ${each}`));
  return sql`update ${type.table} set ${set}${from ? sql` from ${from}` : sql``} where ${isVersion(type, status)}`;
};

/** Returns columns of the stored row. */
export const returning = (columns: readonly AnyPgColumn[]): SQL =>
  sql`returning ${list([...new Set(columns)].map((column) => sql`${column}`))}`;

/** Inserts the document. */
export const insertOfDocument = sql`insert into ${documents} (${list([documents.documentId, documents.type, documents.single].map(named))}) values (${list(["documentId", "document:type", "document:single"].map(value))})`;
