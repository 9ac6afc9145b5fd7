/** A small content model with every kind of attribute and relation, and its tables. */
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
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
import { type Application, defineApplication } from "../../../runtime/application.ts";
import {
  documents,
  fileLinkColumns,
  inversePosition,
  instant,
  linkColumns,
  localeColumn,
  morphType,
  toDocument,
  toFile,
  versionColumns,
} from "../../../runtime/columns.ts";
import { type Component, type ContentType, defineComponent, defineContentType } from "../../../runtime/content-type.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { files } from "../../../runtime/media/table.ts";

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
});

const link_ = { type: "component", component: "shared.link" } as const;

export const components: readonly Component[] = [
  defineComponent({
    uid: "shared.link",
    displayName: "Link",
    attributes: {
      label: { type: "string" },
      amount: { type: "integer" },
      url: { type: "string", private: true },
      icon: { type: "media" },
      owner: { type: "relation", relation: "oneToOne", target: "api::author.author" },
      safe: { type: "relation", relation: "oneToOne", target: "api::vault.vault" },
    },
  }),
  defineComponent({
    uid: "shared.seo",
    displayName: "Seo",
    attributes: {
      title: { type: "string" },
      key: { type: "password" },
      image: { type: "media" },
      images: { type: "media", multiple: true },
      topics: { type: "relation", relation: "oneToMany", target: "api::category.category" },
      links: { ...link_, repeatable: true },
    },
  }),
  defineComponent({
    uid: "blocks.quote",
    displayName: "Quote",
    attributes: { text: { type: "text" }, by: { type: "string", private: true } },
  }),
  defineComponent({
    uid: "blocks.hero",
    displayName: "Hero",
    attributes: {
      heading: { type: "string" },
      image: { type: "media" },
      cta: link_,
      about: { type: "relation", relation: "morphToMany" },
    },
  }),
];

export const article: ContentType = defineContentType({
  uid: "api::article.article",
  kind: "collectionType",
  singularName: "article",
  pluralName: "articles",
  displayName: "Article",
  draftAndPublish: true,
  localized: true,
  table: articles,
  attributes: {
    title: { type: "string", column: articles.title },
    slug: { type: "uid", column: articles.slug },
    body: { type: "richtext", column: articles.body, searchable: false },
    rating: { type: "integer", column: articles.rating },
    views: { type: "biginteger", column: articles.views },
    price: { type: "decimal", column: articles.price },
    score: { type: "float", column: articles.score },
    featured: { type: "boolean", column: articles.featured },
    day: { type: "date", column: articles.day },
    clock: { type: "time", column: articles.clock },
    moment: { type: "datetime", column: articles.moment },
    stamp: { type: "timestamp", column: articles.stamp },
    extra: { type: "json", column: articles.extra },
    secret: { type: "string", column: articles.secret, private: true },
    pin: { type: "password", column: articles.pin },
    cover: { type: "media", column: articles.cover },
    hiddenCover: { type: "media", column: articles.hiddenCover, private: true },
    gallery: { type: "media", multiple: true, link: articlesGallery },
    author: {
      type: "relation",
      relation: "manyToOne",
      target: "api::author.author",
      column: articles.author,
      inverse: "articles",
      inversePosition: articles.authorPosition,
    },
    ghost: {
      type: "relation",
      relation: "oneToOne",
      target: "api::author.author",
      column: articles.ghost,
      private: true,
    },
    categories: {
      type: "relation",
      relation: "manyToMany",
      target: "api::category.category",
      link: articlesCategories,
      inverse: "articles",
    },
    related: { type: "relation", relation: "oneToMany", target: "api::article.article", link: articlesRelated },
    vaults: { type: "relation", relation: "oneToMany", target: "api::vault.vault", link: articlesVaults },
    hidden: {
      type: "relation",
      relation: "oneToMany",
      target: "api::category.category",
      link: articlesHidden,
      private: true,
    },
    comments: { type: "relation", relation: "morphMany", target: "api::comment.comment", morphBy: "mentions" },
    remarks: { type: "relation", relation: "morphMany", target: "api::comment.comment", morphBy: "subject" },
    seo: { type: "component", component: "shared.seo", column: articles.seo },
    links: { type: "component", component: "shared.link", repeatable: true, column: articles.links },
    secretSeo: { type: "component", component: "shared.seo", column: articles.secretSeo, private: true },
    sections: { type: "dynamiczone", components: ["blocks.quote", "blocks.hero"], column: articles.sections },
  },
});

export const author: ContentType = defineContentType({
  uid: "api::author.author",
  kind: "collectionType",
  singularName: "author",
  pluralName: "authors",
  displayName: "Author",
  draftAndPublish: false,
  localized: false,
  table: authors,
  attributes: {
    name: { type: "string", column: authors.name },
    age: { type: "integer", column: authors.age },
    token: { type: "string", column: authors.token, private: true },
    avatar: { type: "media", column: authors.avatar },
    boss: {
      type: "relation",
      relation: "oneToOne",
      target: "api::author.author",
      column: authors.boss,
      inverse: "deputy",
    },
    deputy: { type: "relation", relation: "oneToOne", target: "api::author.author", mappedBy: "boss" },
    articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
  },
});

export const category: ContentType = defineContentType({
  uid: "api::category.category",
  kind: "collectionType",
  singularName: "category",
  pluralName: "categories",
  displayName: "Category",
  draftAndPublish: true,
  localized: false,
  table: categories,
  attributes: {
    name: { type: "string", column: categories.name },
    position: { type: "integer", column: categories.position },
    code: { type: "string", column: categories.code, private: true },
    articles: { type: "relation", relation: "manyToMany", target: "api::article.article", mappedBy: "categories" },
  },
});

export const comment: ContentType = defineContentType({
  uid: "api::comment.comment",
  kind: "collectionType",
  singularName: "comment",
  pluralName: "comments",
  displayName: "Comment",
  draftAndPublish: false,
  localized: false,
  table: comments,
  attributes: {
    content: { type: "text", column: comments.content },
    subject: { type: "relation", relation: "morphToOne", column: comments.subject, typeColumn: comments.subjectType },
    mentions: { type: "relation", relation: "morphToMany", link: commentsMentions },
  },
});

/** Nobody but a caller with every permission may find these. */
export const vault: ContentType = defineContentType({
  uid: "api::vault.vault",
  kind: "collectionType",
  singularName: "vault",
  pluralName: "vaults",
  displayName: "Vault",
  draftAndPublish: false,
  localized: false,
  table: vaults,
  attributes: { name: { type: "string", column: vaults.name } },
});

const contentTypes: readonly ContentType[] = [article, author, category, comment, vault];

const validator = { attributes: {} };

export const application: Application = defineApplication({
  contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, { type, validator }])),
  components: Object.fromEntries(components.map((component) => [component.uid, { component, validator }])),
  extensions: {},
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
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(tables));
  await database.script(statements.join("\n"));
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
