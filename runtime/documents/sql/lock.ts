/**
 * The locks that writers take, and the queries for the documents to lock. All locks last until the transaction ends.
 */
import { type SQL, sql } from "drizzle-orm";
import { type Bound, statementOf, type Values } from "../../database/database.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType, ToOneRelation, VersionTable } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { type OwningSide, positionOf, targetOf, versionsWithLinks } from "./inverse.ts";
import { hasStatus, inLocale, value } from "./version.ts";

/** A set of documents, given as known ids and as a query. */
export interface Documents {
  /** A key that tells statements with different queries apart. */
  readonly key: string;
  /** The documentIds that are known without the query. */
  readonly named: readonly string[];
  /** The query for the documentIds. */
  query(): SQL;
  /** The values that the query binds. */
  readonly values: Values;
}

/** Documents by documentIds, and by row ids in `table`. */
export const documentsNamed = (
  name: string,
  table: VersionTable,
  { documentIds, ids }: { readonly documentIds: readonly string[]; readonly ids: readonly number[] },
): Documents => ({
  key: `${name} named${ids.length > 0 ? " by id" : ""}`,
  named: documentIds,
  query: () => {
    const byName = sql`select unnest(${value(`${name}:documents`)}::text[])`;
    if (ids.length === 0) return byName;
    return sql`${byName} union all select ${table.documentId} from ${table} where ${table.id} = any(${value(`${name}:ids`)}::int[])`;
  },
  values: { [`${name}:documents`]: documentIds, ...(ids.length > 0 ? { [`${name}:ids`]: ids } : {}) },
});

/** One document. */
export const onlyDocument = (documentId: string): Documents => ({
  key: "self",
  named: [documentId],
  query: () => sql`select ${value("self")}::text`,
  values: { self: documentId },
});

/** Those of `documentIds` that belong to `type`. */
export const documentsOf = ({ uid }: ContentType, documentIds: readonly string[]): Documents => ({
  key: "several of a type",
  named: documentIds,
  query: () =>
    sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = any(${value("several")}::text[]) and ${documents.type} = ${value("type")}`,
  values: { several: documentIds, type: uid },
});

/** Documents with any version that refers to one of `documentIds`. */
export const documentsLeading = (name: string, owning: OwningSide, documentIds: readonly string[]): Documents => ({
  key: `${name} leading`,
  named: [],
  query: () =>
    sql`select ${owning.type.table.documentId} from ${versionsWithLinks(owning)} where ${targetOf(owning)} = any(${value("several")}::text[])`,
  values: { several: documentIds },
});

/**
 * Documents whose draft and published version differ in whether they refer to `documentId`, or in their position in its
 * list: these change when it is published. With a locale, only versions in that locale count.
 */
export const documentsDiffering = (
  name: string,
  owning: OwningSide,
  documentId: string,
  locale: string | null,
): Documents => ({
  key: `${name} differing${locale === null ? "" : " in locale"}`,
  named: [],
  query: () => {
    const { table } = owning.type;
    const code = table.locale ? sql`${table.locale}` : sql`null::text`;
    const position = positionOf(owning) ?? sql`null::int`;
    const only = locale === null ? sql`` : inLocale(owning.type);
    const listed = sql`select ${table.documentId}, ${code}, count(*), bool_or(${table.publishedAt} is null), min(${position}), max(${position}) from ${versionsWithLinks(owning)} where ${targetOf(owning)} = ${value("self")}${only} group by 1, 2`;
    const sameLocale = table.locale ? sql` and ${table.locale} = listed.locale` : sql``;
    const other = sql`select 1 from ${table} where ${table.documentId} = listed.key${sameLocale} and (${table.publishedAt} is null) <> listed.drafted`;
    return sql`select listed.key from (${listed}) as listed(key, locale, links, drafted, first, last) where listed.links > 1 and listed.first is distinct from listed.last or listed.links = 1 and exists (${other})`;
  },
  values: { self: documentId, ...(locale === null ? {} : { locale }) },
});

/** Documents of `type` with any version that refers to one of `targets` in `column`. */
export const documentsHolding = (
  name: string,
  { table }: ContentType,
  column: ToOneRelation["column"],
  targets: Documents,
): Documents => ({
  key: `${name} holding ${targets.key}`,
  named: [],
  query: () => sql`select ${table.documentId} from ${table} where ${column} = any(array(${targets.query()}))`,
  values: targets.values,
});

/**
 * The target of a to-one relation in the version in status `from`, unless the version in the other status has the same.
 */
export const newTarget = (
  name: string,
  type: ContentType,
  column: ToOneRelation["column"],
  { documentId, locale, from }: { documentId: string; locale: string | null; from: Status },
): Documents => ({
  key: `${name} new in ${from}`,
  named: [],
  query: () => {
    const { table } = type;
    const targets = (status: Status): SQL =>
      sql`select ${column} from ${table} where ${table.documentId} = ${value("self")} and ${hasStatus(type, status)}${inLocale(type)}`;
    const to = from === "draft" ? "published" : "draft";
    return sql`select target from (${targets(from)} except ${targets(to)}) as fresh(target) where target is not null`;
  },
  values: { self: documentId, ...(locale === null ? {} : { locale }) },
});

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
  /** The first part of the name, which states the purpose. */
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
 * exist. `self` is the document being written, if it is not new. Others can still create links to these documents;
 * other writers wait.
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
