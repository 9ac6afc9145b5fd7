/** Columns and indexes that the generated `table.ts` files share. */
import { getTableName, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { identifier } from "../base/identifier.ts";
import { files } from "./tables/files.ts";

/** An instant in UTC with milliseconds, as text. */
export const instant = (name: string) => timestamp(name, { precision: 3, mode: "string" });

/** The index that allows only one document per single type. */
export const SINGLE_KEY = "documents_single_key";

/** The identity of every document. Deleting its row deletes its versions and the links to it. */
export const documents = pgTable(
  "documents",
  {
    documentId: text("document_id").primaryKey(),
    type: text("type").notNull(),
    /** True for the document of a single type, null for others. */
    single: boolean("single"),
  },
  (document) => [
    uniqueIndex(SINGLE_KEY)
      .on(document.type)
      .where(sql`${document.single}`),
  ],
);

/** The document that a row belongs to, and with which it is deleted. */
export const ofDocument = (name: string) =>
  text(name)
    .notNull()
    .references((): AnyPgColumn => documents.documentId, { onDelete: "cascade" });

/** Ids of component entries, unique across the database: GraphQL clients cache by type and id. */
export const componentIds = pgSequence("component_ids");

/** Columns of every version row; `publishedAt` is null in a draft. */
export const versionColumns = () => ({
  id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
  documentId: ofDocument("document_id"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  publishedAt: instant("published_at"),
});

/** The additional column of localized types. */
export const localeColumn = () => ({ locale: text("locale").notNull() });

/** A to-one relation: the document that it points to, resolved to a version when read. */
export const toDocument = (name: string) =>
  text(name).references((): AnyPgColumn => documents.documentId, { onDelete: "set null" });

/** A single file. */
export const toFile = (name: string) => integer(name).references((): AnyPgColumn => files.id, { onDelete: "set null" });

/** A to-many relation: from a version to documents, in order. */
export const linkColumns = (version: () => AnyPgColumn) => ({
  versionId: integer("version_id").notNull().references(version, { onDelete: "cascade" }),
  documentId: ofDocument("document_id"),
  position: integer("position").notNull(),
});

/**
 * The position of a link in the inverse side's list. It is a column of the link table, or of the version for a to-one
 * relation.
 */
export const inversePosition = (name: string) => integer(name);

/** A polymorphic link also keeps the uid of the type of the document. */
export const morphType = (name: string) => text(name);

/** The one version of the document that a link imported from elsewhere leads to, such as `draft en`; otherwise null. */
export const morphVersion = (name: string) => text(name);

/** Several files of one attribute, in order. */
export const fileLinkColumns = (version: () => AnyPgColumn) => ({
  versionId: integer("version_id").notNull().references(version, { onDelete: "cascade" }),
  fileId: integer("file_id")
    .notNull()
    .references((): AnyPgColumn => files.id, { onDelete: "cascade" }),
  position: integer("position").notNull(),
});

/** The name of an index or a constraint of the table that a column belongs to. */
const nameIn = (column: AnyPgColumn, ...parts: readonly string[]): string =>
  identifier(getTableName(column.table), ...parts);

interface Link {
  versionId: AnyPgColumn;
  documentId?: AnyPgColumn;
  fileId?: AnyPgColumn;
  inversePosition?: AnyPgColumn;
}

/**
 * The indexes of a link table: one makes links unique, the other serves reads from the inverse side, and finds the end
 * of its list if that is ordered.
 */
export const linkIndexes = (link: Link) => {
  const target = link.documentId ?? link.fileId;
  if (!target) return [];
  const fromOther = link.inversePosition ? inverseIndex(target, link.inversePosition) : columnIndex(target);
  return [primaryKey({ name: nameIn(link.versionId, "pk"), columns: [link.versionId, target] }), fromOther];
};

interface Version {
  id: AnyPgColumn;
  documentId: AnyPgColumn;
  publishedAt: AnyPgColumn;
  locale?: AnyPgColumn;
}

/**
 * The indexes of a version table: one draft and one published version per document and locale, found by document; and
 * lists in the order of ids, by status and locale.
 */
export const versionIndexes = (version: Version) => {
  const { id, documentId, publishedAt, locale } = version;
  const published = sql`${publishedAt} is not null`;
  const list = (status: string) => {
    const listed = index(nameIn(id, status, "idx"));
    return locale ? listed.on(locale, id) : listed.on(id);
  };
  return [
    uniqueIndex(nameIn(id, "version", "key")).on(documentId, ...(locale ? [locale] : []), sql`(${published})`),
    list("draft").where(sql`${publishedAt} is null`),
    list("published").where(published),
  ];
};

/** An index for an attribute used in lookups: uids, unique attributes, foreign keys. */
export const columnIndex = (column: AnyPgColumn) => index(nameIn(column, column.name, "idx")).on(column);

/** An index for a relation whose inverse side is an ordered list, so that its end is found without reading the list. */
export const inverseIndex = (column: AnyPgColumn, position: AnyPgColumn) =>
  index(nameIn(column, column.name, "inverse", "idx")).on(column, position);

/** An index for filters on the entries of a component or dynamic zone: it finds the JSON that contains a given value. */
export const entriesIndex = (column: AnyPgColumn) =>
  index(nameIn(column, column.name, "entries", "idx")).using("gin", sql`(${column}::jsonb) jsonb_path_ops`);

/** The name of the index that enforces a unique attribute. */
export const uniqueName = (table: string, column: string): string => identifier(table, column, "unique");

/** Whether values may be too long for an index entry: then the index contains their digests. */
const isLongText = (column: AnyPgColumn): boolean => column.columnType === "PgText";

/**
 * The index that enforces a unique attribute among the published versions of a locale. Drafts may repeat values, and so
 * may null and the empty text.
 */
export const uniqueAmongPublished = (column: AnyPgColumn, version: Version) => {
  const locale = version.locale ? [version.locale] : [];
  const published = sql`${version.publishedAt} is not null`;
  const isText = isLongText(column) || column.columnType === "PgVarchar";
  return uniqueIndex(uniqueName(getTableName(column.table), column.name))
    .on(isLongText(column) ? sql`md5(${column})` : column, ...locale)
    .where(isText ? sql`${published} and ${column} <> ''` : published);
};

export { searchColumn, searchIndex } from "../search/vector.ts";
