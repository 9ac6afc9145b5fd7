/** Inserts many new documents that consist of values only, by one statement for their rows in all tables. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Parameter, Value } from "../../database/database.ts";
import { type Bound, statementOf } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { demandAllStored } from "./stored.ts";
import { list, named, sqlTypeOf, storedColumns, value } from "./version.ts";

export interface NewRows {
  /** `published` also stores the drafts, if the type has them. */
  readonly status: Status;
  readonly documentIds: readonly string[];
  readonly locale: string | null;
  readonly time: string;
  /** The values by the key of the column, in the order of the documents. */
  readonly lists: Readonly<Record<string, readonly Value[]>>;
}

/** A column, and the expression for its value in a row of `wanted`. */
type Filled = readonly [column: AnyPgColumn, value: SQL];

const insertInto = (table: ContentType["table"] | typeof documents, filled: readonly Filled[]): SQL =>
  sql`insert into ${table} (${list(filled.map(([column]) => named(column)))}) select ${list(filled.map(([, each]) => each))} from wanted`;

/** A value that is the same in all rows. */
const shared = (column: AnyPgColumn, name: string): Filled => [column, sql`${value(name)}::${sqlTypeOf(column)}`];

/** The same value in all rows; undefined if they differ. */
const only = (values: readonly Value[]): Value | undefined => {
  const [first = null] = values;
  return values.every((each) => each === first) ? first : undefined;
};

const query = (type: ContentType, status: Status, listed: readonly string[]): SQL => {
  const { table, draftAndPublish } = type;
  const columns = storedColumns(type);
  const parts = columns.filter(({ key }) => listed.includes(key));
  const names = parts.map((_each, index) => sql.raw(`v${index}`));
  const unnested = [
    sql`${value("documentId")}::text[]`,
    ...parts.map(({ key, column }) => sql`${value(key)}::${sqlTypeOf(column)}[]`),
  ];
  const wanted = sql`wanted as (select * from unnest(${list(unnested)}) as listed(${list([sql`id`, ...names])}))`;
  const version = (publishedAt: SQL): readonly Filled[] => [
    [table.documentId, sql`id`],
    ...(table.locale ? [shared(table.locale, "locale")] : []),
    shared(table.createdAt, "createdAt"),
    shared(table.updatedAt, "createdAt"),
    [table.publishedAt, publishedAt],
    ...columns.map(({ key, column }): Filled => {
      const name = names[parts.findIndex((each) => each.key === key)];
      return name ? [column, name] : shared(column, key);
    }),
  ];
  const document: readonly Filled[] = [
    [documents.documentId, sql`id`],
    shared(documents.type, "document:type"),
    shared(documents.single, "document:single"),
  ];
  const inserted = sql`document as (${insertInto(documents, document)})`;
  const drafts = insertInto(table, version(sql`null`));
  const published = insertInto(table, version(shared(table.publishedAt, "createdAt")[1]));
  const all = (versions: readonly SQL[]) => sql`with ${list([wanted, inserted, ...versions])} ${demandAllStored}`;
  if (!draftAndPublish) return all([sql`version as (${published} returning 1)`]);
  if (status === "draft") return all([sql`version as (${drafts} returning 1)`]);
  // Drafts get the lower ids, as with single writes: the count is known when all of them are stored.
  const afterDrafts = sql`${published} where (select count(*) from draft) = (select count(*) from wanted)`;
  return all([sql`draft as (${drafts} returning 1)`, sql`version as (${afterDrafts} returning 1)`]);
};

/**
 * Inserts documents with their first versions. What is the same in all of them is sent once.
 */
export const insertRows = (type: ContentType, { status, documentIds, locale, time, lists }: NewRows): Bound => {
  const values: Record<string, Parameter> = {
    documentId: documentIds,
    createdAt: time,
    "document:type": type.uid,
    "document:single": type.kind === "singleType",
    ...(locale === null ? {} : { locale }),
  };
  const listed: string[] = [];
  for (const [key, each] of Object.entries(lists)) {
    const same = only(each);
    values[key] = same === undefined ? each : same;
    if (same === undefined) listed.push(key);
  }
  const statement = statementOf(type.table, `insert rows ${status}: ${listed.join(", ")}`, () =>
    query(type, status, listed),
  );
  return { statement, values };
};
