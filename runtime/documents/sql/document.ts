/** Statements for `documents`, the table with one row per document. */
import { sql } from "drizzle-orm";
import { type Bound, statementOf } from "../../database/statement.ts";
import { componentIds, documents } from "../../schema/columns.ts";
import { value } from "./version.ts";

/** Deletes documents; the database deletes all links to them. */
export const deleteDocuments = (documentIds: readonly string[]): Bound => ({
  statement: statementOf(
    documents,
    "delete",
    () => sql`delete from ${documents} where ${documents.documentId} = any(${value("documentIds")}::text[])`,
  ),
  values: { documentIds },
});

/** Takes `count` ids for component entries from the sequence. */
export const nextComponentIds = (count: number): Bound => ({
  statement: statementOf(
    documents,
    "component ids",
    () =>
      sql`select nextval(${sql.raw(`'${componentIds.seqName ?? ""}'`)})::int from generate_series(1, ${value("count")}::int)`,
  ),
  values: { count },
});
