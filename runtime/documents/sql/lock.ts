/** The locks that writers take. All locks are held until the transaction ends. */
import { type SQL, sql } from "drizzle-orm";
import { type Bound, statementOf } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Documents } from "./reach.ts";
import { value } from "./version.ts";

/** Takes the lock with this name, and waits while another transaction holds it. */
export const lockName = (name: string): Bound => ({
  statement: statementOf(
    documents,
    "lock name",
    () => sql`select pg_advisory_xact_lock(hashtextextended(${value("name")}, 0))`,
  ),
  values: { name },
});

/** Named locks for some documents. They are independent of locks on the documents' rows. */
export interface NamedLocks {
  /** The first part of the name, which tells the purpose. */
  readonly name: string;
  readonly documents: Documents;
}

/** Takes named locks for a write of `type`, always in the same order. */
export const lockNames = ({ table }: ContentType, locks: readonly NamedLocks[]): Bound => ({
  statement: statementOf(table, `lock names ${locks.map((each) => each.documents.key).join(", ")}`, () => {
    const names = locks.map(
      ({ documents: { query } }, index) =>
        sql`select ${value(`lock ${index}`)}::text || ' ' || wanted.key from (${query()}) as wanted(key)`,
    );
    const keys = sql`select distinct hashtextextended(names.name, 0) as key from (${sql.join(names, sql` union all `)}) as names(name) order by key`;
    return sql`select pg_advisory_xact_lock(ordered.key) from (${keys}) as ordered`;
  }),
  values: Object.assign(
    Object.fromEntries(locks.map(({ name }, index) => [`lock ${index}`, name])),
    ...locks.map((each) => each.documents.values),
  ),
});

const lockOne = sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = ${value("self")} and ${documents.type} = ${value("type")} for no key update`;

const lockAll = (self: string | undefined, others: readonly Documents[]): SQL => {
  const queries = [
    ...(self === undefined ? [] : [sql`select ${value("self")}::text`]),
    ...others.map(({ query }) => query()),
  ];
  const isSelf = sql` and (${documents.documentId} <> ${value("self")} or ${documents.type} = ${value("type")})`;
  return sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = any(array(${sql.join(queries, sql` union all `)}))${self === undefined ? sql`` : isSelf} order by ${documents.documentId} for no key update`;
};

/**
 * Locks the rows of documents that a write of `type` will change, always in the same order, and returns those that
 * exist. `self` is the document that is written, if it is not new. Links to these documents can still be created; other
 * writers wait.
 */
export const lockDocuments = (type: ContentType, self: string | undefined, others: readonly Documents[]): Bound => {
  const key = `lock ${self === undefined ? "others" : "self"} ${others.map((each) => each.key).join(", ")}`;
  const isAlone = self !== undefined && others.length === 0;
  const own = self === undefined ? {} : { self, type: type.uid };
  return {
    statement: statementOf(type.table, key, () => (isAlone ? lockOne : lockAll(self, others))),
    values: Object.assign(own, ...others.map(({ values }) => values)),
  };
};

/** Blocks new links to these documents, and waits for transactions that are creating some. */
export const lockAgainstLinks = (documentIds: readonly string[]): Bound => ({
  statement: statementOf(
    documents,
    "lock against links",
    () =>
      sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = any(${value("documentIds")}::text[]) order by ${documents.documentId} for update`,
  ),
  values: { documentIds },
});

/**
 * Locks those of the documents that no other transaction holds, and returns them. It never waits, so it cannot cause a
 * deadlock even after other locks.
 */
export const lockFree = (documentIds: readonly string[]): Bound => ({
  statement: statementOf(
    documents,
    "lock free",
    () =>
      sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = any(${value("documents")}::text[]) order by ${documents.documentId} for no key update skip locked`,
  ),
  values: { documents: documentIds },
});

/** Finds documents for a write of `type`, each once, without locking them. */
export const findDocuments = ({ table }: ContentType, found: readonly Documents[]): Bound => ({
  statement: statementOf(table, `find ${found.map((each) => each.key).join(", ")}`, () =>
    sql.join(
      found.map((each) => each.query()),
      sql` union `,
    ),
  ),
  values: Object.assign({}, ...found.map(({ values }) => values)),
});
