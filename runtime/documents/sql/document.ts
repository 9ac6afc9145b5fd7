/** Rows of `documents`: the identity of every document, and what concurrent writers of one wait for. */
import { sql } from "drizzle-orm";
import { componentIds, documents } from "../../schema/columns.ts";
import { type Bound, statementOf } from "./statement.ts";
import { value } from "./version.ts";

/** Answers a row when there is such a document. Links to it may be made meanwhile; other writers of it wait. */
export const lockDocument = (documentId: string, type: string): Bound => ({
  statement: statementOf(
    documents,
    "lock",
    () =>
      sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = ${value("documentId")} and ${documents.type} = ${value("type")} for no key update`,
  ),
  values: { documentId, type },
});

/** Deletes the document, and with it every link to it. */
export const deleteDocument = (documentId: string): Bound => ({
  statement: statementOf(
    documents,
    "delete",
    () => sql`delete from ${documents} where ${documents.documentId} = ${value("documentId")}`,
  ),
  values: { documentId },
});

/** Takes `count` ids for entries of components. */
export const nextComponentIds = (count: number): Bound => ({
  statement: statementOf(
    documents,
    "component ids",
    () =>
      sql`select nextval(${sql.raw(`'${componentIds.seqName ?? ""}'`)})::int from generate_series(1, ${value("count")}::int)`,
  ),
  values: { count },
});
