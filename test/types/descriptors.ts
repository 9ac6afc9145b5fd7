/** What the compiler says about `type.ts` and `rest.ts` files: every marked line must be refused. Checked by `npm run typecheck`. */
import type { Article } from "../../generated/article/document.ts";
import { articles, articlesCategories, articlesGallery } from "../../generated/article/table.ts";
import { article } from "../../generated/article/type.ts";
import type { Tag } from "../../generated/tag/document.ts";
import { tags } from "../../generated/tag/table.ts";
import { can, find, router } from "../../runtime/http/rest/index.ts";
import { defineContentType, type DocumentFields } from "../../runtime/schema/content-type.ts";

const named = {
  uid: "api::article.article",
  kind: "collectionType",
  singularName: "article",
  pluralName: "articles",
  draftAndPublish: true,
  localized: true,
} as const;

interface Links extends DocumentFields {
  gallery?: Article["gallery"];
  categories?: Article["categories"];
}

export const accepted = defineContentType<Links>({
  ...named,
  table: articles,
  attributes: {
    gallery: { type: "media", multiple: true, link: articlesGallery },
    categories: {
      type: "relation",
      relation: "manyToMany",
      target: "api::category.category",
      link: articlesCategories,
    },
  },
});

// @ts-expect-error an attribute is missing
export const missing = defineContentType<Tag>({ ...named, table: tags, attributes: {} });

export const surplus = defineContentType<Pick<Article, "title" | keyof DocumentFields>>({
  ...named,
  table: articles,
  attributes: {
    title: { type: "string", column: articles.title },
    // @ts-expect-error no such attribute
    slug: { type: "string", column: articles.slug },
  },
});

export const refused = defineContentType<Links>({
  ...named,
  // @ts-expect-error a link table holds no versions
  table: articlesGallery,
  attributes: {
    // @ts-expect-error a link to documents is none to files
    gallery: { type: "media", multiple: true, link: articlesCategories },
    // @ts-expect-error a link to files is none to documents
    categories: { type: "relation", relation: "manyToMany", target: "api::category.category", link: articlesGallery },
  },
});

export const scalars = defineContentType<Pick<Article, "title" | "slug" | keyof DocumentFields>>({
  ...named,
  table: articles,
  attributes: {
    // @ts-expect-error a table is no column
    title: { type: "string", column: articles },
    // @ts-expect-error an attribute of a content type has a column
    slug: { type: "uid" },
  },
});

export const routes = router()
  .get("/articles/:documentId", can("api::article.article.find"), (c) => c.text(c.req.param("documentId")))
  // @ts-expect-error the path has no such parameter
  .get("/articles", (c) => c.text(c.req.param("documentId")))
  // @ts-expect-error a permission is a text
  .get("/articles", can(article), find(article))
  // @ts-expect-error no handler
  .get("/articles", find);
