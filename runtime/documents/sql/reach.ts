/** Queries for the ids of other documents that a write changes. */
import { type SQL, sql } from "drizzle-orm";
import type { Values } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType, ToOneRelation, VersionTable } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { type Keeper, placeOf, targetOf, versionsWithLinks } from "./keeper.ts";
import { hasStatus, value } from "./version.ts";

/** A set of documents, as known ids and as a query. */
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
export const documentsLeadingTo = (name: string, keeper: Keeper, documentIds: readonly string[]): Documents => ({
  key: `${name} leading to several`,
  named: [],
  query: () =>
    sql`select ${keeper.type.table.documentId} from ${versionsWithLinks(keeper)} where ${targetOf(keeper)} = any(${value("several")}::text[])`,
  values: { several: documentIds },
});

/** Documents with any version that refers to `documentId`. */
export const documentsLeading = (name: string, keeper: Keeper, documentId: string): Documents => ({
  key: `${name} leading`,
  named: [],
  query: () =>
    sql`select ${keeper.type.table.documentId} from ${versionsWithLinks(keeper)} where ${targetOf(keeper)} = ${value("self")}`,
  values: { self: documentId },
});

/**
 * Documents whose draft and published version differ in whether they refer to `documentId`, or in their position in its
 * list: these change when it is published. With a locale, only versions in that locale count.
 */
export const documentsDiffering = (
  name: string,
  keeper: Keeper,
  documentId: string,
  locale: string | null,
): Documents => ({
  key: `${name} differing${locale === null ? "" : " in locale"}`,
  named: [],
  query: () => {
    const { table } = keeper.type;
    const code = table.locale ? sql`${table.locale}` : sql`null::text`;
    const place = placeOf(keeper) ?? sql`null::int`;
    const inLocale = table.locale && locale !== null ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    const listed = sql`select ${table.documentId}, ${code}, count(*), bool_or(${table.publishedAt} is null), min(${place}), max(${place}) from ${versionsWithLinks(keeper)} where ${targetOf(keeper)} = ${value("self")}${inLocale} group by 1, 2`;
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
    const inLocale = table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    const targets = (status: Status): SQL =>
      sql`select ${column} from ${table} where ${table.documentId} = ${value("self")} and ${hasStatus(type, status)}${inLocale}`;
    const to = from === "draft" ? "published" : "draft";
    return sql`select target from (${targets(from)} except ${targets(to)}) as fresh(target) where target is not null`;
  },
  values: { self: documentId, ...(locale === null ? {} : { locale }) },
});
