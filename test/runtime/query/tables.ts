/** The tables of the content model, and rows for them. */
import { getTableName, is } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  json,
  numeric,
  PgTable,
  pgTable,
  text,
  time,
  varchar,
} from "drizzle-orm/pg-core";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import type { Database } from "../../../runtime/database/database.ts";
import {
  documents,
  fileLinkColumns,
  instant,
  inversePosition,
  linkColumns,
  localeColumn,
  morphType,
  morphVersion,
  toDocument,
  toFile,
  versionColumns,
} from "../../../runtime/schema/columns.ts";
import { files } from "../../../runtime/schema/tables/files.ts";
import { creationSql } from "../../support/creation-sql.ts";

export const articles = pgTable("articles", {
  ...versionColumns(),
  ...localeColumn(),
  title: varchar("title", { length: 255 }),
  slug: varchar("slug", { length: 255 }),
  body: text("body"),
  rating: integer("rating"),
  views: bigint("views", { mode: "bigint" }),
  price: numeric("price", { precision: 10, scale: 2 }),
  score: doublePrecision("score"),
  featured: boolean("featured"),
  day: date("day"),
  clock: time("clock", { precision: 3 }),
  moment: instant("moment"),
  stamp: instant("stamp"),
  extra: json("extra"),
  secret: varchar("secret", { length: 255 }),
  pin: varchar("pin", { length: 255 }),
  cover: toFile("cover_id"),
  hiddenCover: toFile("hidden_cover_id"),
  author: toDocument("author_document_id"),
  authorPosition: inversePosition("author_position"),
  ghost: toDocument("ghost_document_id"),
  seo: json("seo"),
  links: json("links"),
  secretSeo: json("secret_seo"),
  sections: json("sections"),
});

export const authors = pgTable("authors", {
  ...versionColumns(),
  name: varchar("name", { length: 255 }),
  age: integer("age"),
  token: varchar("token", { length: 255 }),
  avatar: toFile("avatar_id"),
  boss: toDocument("boss_document_id"),
});

export const categories = pgTable("categories", {
  ...versionColumns(),
  name: varchar("name", { length: 255 }),
  position: integer("position"),
  code: varchar("code", { length: 255 }),
});

export const comments = pgTable("comments", {
  ...versionColumns(),
  content: text("content"),
  subject: toDocument("subject_document_id"),
  subjectType: morphType("subject_type"),
});

export const vaults = pgTable("vaults", {
  ...versionColumns(),
  name: varchar("name", { length: 255 }),
});

const link = (name: string, version: () => AnyPgColumn) =>
  pgTable(name, { ...linkColumns(version), inversePosition: inversePosition("inverse_position") });

export const articlesCategories = link("articles_categories", () => articles.id);
export const articlesRelated = link("articles_related", () => articles.id);
export const articlesVaults = link("articles_vaults", () => articles.id);
export const articlesHidden = link("articles_hidden", () => articles.id);
export const articlesGallery = pgTable(
  "articles_gallery",
  fileLinkColumns(() => articles.id),
);
export const commentsMentions = pgTable("comments_mentions", {
  ...linkColumns(() => comments.id),
  documentType: morphType("document_type").notNull(),
  documentVersion: morphVersion("document_version"),
});

const tables = {
  documents,
  files,
  articles,
  authors,
  categories,
  comments,
  vaults,
  articlesCategories,
  articlesRelated,
  articlesVaults,
  articlesHidden,
  articlesGallery,
  commentsMentions,
};

/** Creates the tables in an empty database. */
export const createTables = async (database: Database): Promise<void> => {
  await database.script(creationSql(describeTables(Object.values(tables))));
};

/** Inserts rows given by the keys of the table's columns. */
export const insert = async (
  database: Database,
  table: PgTable,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> => {
  const columns = tableColumns(table);
  for (const row of rows) {
    const names = Object.keys(row);
    const list = names.map((name) => `"${columns.get(name)}"`).join(", ");
    const values = names.map((_, index) => `$${index + 1}`).join(", ");
    await database.rows(
      `insert into "${getTableName(table)}" (${list}) values (${values})`,
      names.map((name) => parameter(row[name])),
    );
  }
};

const tableColumns = (table: PgTable): Map<string, string> => {
  const columns = new Map<string, string>();
  for (const [key, value] of Object.entries(table)) {
    if (isColumn(value)) columns.set(key, value.name);
  }
  return columns;
};

const isColumn = (value: unknown): value is AnyPgColumn =>
  typeof value === "object" && value !== null && "name" in value && !is(value, PgTable);

const parameter = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
};
