/** A small content model with every kind of attribute and relation. */
import { z } from "zod";
import { type Application, defineApplication } from "../../../runtime/app/application.ts";
import {
  type Component,
  type ContentType,
  defineComponent,
  defineContentType,
} from "../../../runtime/schema/content-type.ts";
import {
  articles,
  articlesCategories,
  articlesGallery,
  articlesHidden,
  articlesRelated,
  articlesVaults,
  authors,
  categories,
  comments,
  commentsMentions,
  vaults,
} from "./tables.ts";

const toLink = { type: "component", component: "shared.link" } as const;

export const components: readonly Component[] = [
  defineComponent({
    uid: "shared.link",
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
    attributes: {
      title: { type: "string" },
      key: { type: "password" },
      image: { type: "media" },
      images: { type: "media", multiple: true },
      topics: { type: "relation", relation: "oneToMany", target: "api::category.category" },
      links: { ...toLink, repeatable: true },
    },
  }),
  defineComponent({
    uid: "blocks.quote",
    attributes: { text: { type: "text" }, by: { type: "string", private: true } },
  }),
  defineComponent({
    uid: "blocks.hero",
    attributes: {
      heading: { type: "string" },
      image: { type: "media" },
      cta: toLink,
      links: { ...toLink, repeatable: true },
      about: { type: "relation", relation: "morphToMany" },
    },
  }),
];

export const article: ContentType = defineContentType({
  uid: "api::article.article",
  kind: "collectionType",
  singularName: "article",
  pluralName: "articles",
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
  draftAndPublish: false,
  localized: false,
  table: vaults,
  attributes: { name: { type: "string", column: vaults.name } },
});

const contentTypes: readonly ContentType[] = [article, author, category, comment, vault];

const none = z.object({});

export const application: Application = defineApplication({
  contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, { type, validator: none }])),
  components: Object.fromEntries(components.map((component) => [component.uid, { component, validator: none }])),
  extensions: {},
});
