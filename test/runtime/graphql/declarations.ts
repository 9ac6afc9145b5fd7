/** The content model of the read engine's tests as a generated `graphql.ts` would declare it. */
import type { BuilderOf, GraphqlModule } from "../../../runtime/graphql/builder.ts";
import type { Component, ContentType, DocumentFields } from "../../../runtime/schema/content-type.ts";
import { article, author, category, comment, components, vault } from "../query/content.ts";

/** The types of these tests have no interfaces: a shape that takes every name. */
type Anything = DocumentFields & Record<string, never>;

type Builder = BuilderOf<
  Record<
    | "Article"
    | "Author"
    | "Category"
    | "Comment"
    | "Vault"
    | "ComponentSharedLink"
    | "ComponentSharedSeo"
    | "ComponentBlocksQuote"
    | "ComponentBlocksHero",
    Anything
  >
>;

/** What a project's files declare is typed by the project's own interfaces, so these are another builder's. */
const declared = (declare: (builder: Builder) => void): GraphqlModule => declare as never;

const componentOf = (uid: string): Component => {
  const component = components.find((each) => each.uid === uid);
  if (!component) throw new Error(`No component ${uid}.`);
  return component;
};

const componentModules: Readonly<Record<string, GraphqlModule>> = {
  "shared.link": declared((builder) => {
    builder.component("ComponentSharedLink", {
      component: componentOf("shared.link"),
      fields: (t) => ({
        label: t.exposeString("label"),
        amount: t.exposeInt("amount"),
        url: t.exposeString("url", { writeOnly: true }),
        icon: t.file("icon"),
        owner: t.relation("owner", "Author"),
        safe: t.relation("safe", "Vault"),
      }),
    });
  }),
  "shared.seo": declared((builder) => {
    builder.component("ComponentSharedSeo", {
      component: componentOf("shared.seo"),
      fields: (t) => ({
        title: t.exposeString("title"),
        key: t.exposeString("key", { writeOnly: true }),
        image: t.file("image"),
        images: t.files("images"),
        topics: t.relations("topics", "Category"),
        links: t.components("links", "ComponentSharedLink"),
      }),
    });
  }),
  "blocks.quote": declared((builder) => {
    builder.component("ComponentBlocksQuote", {
      component: componentOf("blocks.quote"),
      fields: (t) => ({ text: t.exposeString("text"), by: t.exposeString("by", { writeOnly: true }) }),
    });
  }),
  "blocks.hero": declared((builder) => {
    builder.component("ComponentBlocksHero", {
      component: componentOf("blocks.hero"),
      fields: (t) => ({
        heading: t.exposeString("heading"),
        image: t.file("image"),
        cta: t.component("cta", "ComponentSharedLink"),
        links: t.components("links", "ComponentSharedLink"),
        about: t.morphs("about"),
      }),
    });
  }),
};

export const componentModule = ({ uid }: Component): GraphqlModule => {
  const found = componentModules[uid];
  if (!found) throw new Error(`Nothing declares ${uid}.`);
  return found;
};

type Name = "Article" | "Author" | "Category" | "Comment" | "Vault";

/** The operations that every content type has. */
const addOperations = (
  builder: Builder,
  name: Name,
  { uid, singularName, pluralName, localized }: ContentType,
): void => {
  builder.queryFields((t) => ({
    [singularName]: t.findOne(name, { can: `${uid}.findOne` }),
    [pluralName]: t.findMany(name, { can: `${uid}.find` }),
    [`${pluralName}_connection`]: t.findConnection(name, { can: `${uid}.find` }),
  }));
  builder.mutationFields((t) => ({
    [`create${name}`]: t.create(name, { can: `${uid}.create` }),
    [`update${name}`]: t.update(name, { can: `${uid}.update` }),
    [`delete${name}`]: t.remove(name, { can: `${uid}.delete` }),
    ...(localized ? { [`create${name}Localization`]: t.createLocalization(name, { can: `${uid}.update` }) } : {}),
  }));
};

export const typeModules: readonly { readonly type: ContentType; readonly graphql: GraphqlModule }[] = [
  {
    type: article,
    graphql: declared((builder) => {
      builder.contentType("Article", {
        type: article,
        fields: (t) => ({
          title: t.exposeString("title"),
          slug: t.exposeString("slug"),
          rating: t.exposeInt("rating"),
          views: t.expose("views", { type: "Long" }),
          clock: t.expose("clock", { type: "Time" }),
          secret: t.exposeString("secret", { writeOnly: true }),
          pin: t.exposeString("pin", { writeOnly: true }),
          cover: t.file("cover"),
          hiddenCover: t.file("hiddenCover", { writeOnly: true }),
          gallery: t.files("gallery"),
          author: t.relation("author", "Author"),
          ghost: t.relation("ghost", "Author", { writeOnly: true }),
          categories: t.relations("categories", "Category"),
          related: t.relations("related", "Article"),
          vaults: t.relations("vaults", "Vault"),
          hidden: t.relations("hidden", "Category", { writeOnly: true }),
          seo: t.component("seo", "ComponentSharedSeo"),
          links: t.components("links", "ComponentSharedLink"),
          secretSeo: t.component("secretSeo", "ComponentSharedSeo", { writeOnly: true }),
          sections: t.zone("sections", "ArticleSectionsDynamicZone", ["ComponentBlocksQuote", "ComponentBlocksHero"]),
        }),
      });
      addOperations(builder, "Article", article);
    }),
  },
  {
    type: author,
    graphql: declared((builder) => {
      builder.contentType("Author", {
        type: author,
        fields: (t) => ({
          name: t.exposeString("name"),
          age: t.exposeInt("age"),
          token: t.exposeString("token", { writeOnly: true }),
          avatar: t.file("avatar"),
          boss: t.relation("boss", "Author"),
          deputy: t.relation("deputy", "Author"),
          articles: t.relations("articles", "Article"),
        }),
      });
      addOperations(builder, "Author", author);
    }),
  },
  {
    type: category,
    graphql: declared((builder) => {
      builder.contentType("Category", {
        type: category,
        fields: (t) => ({
          name: t.exposeString("name"),
          position: t.exposeInt("position"),
          code: t.exposeString("code", { writeOnly: true }),
          articles: t.relations("articles", "Article"),
        }),
      });
      addOperations(builder, "Category", category);
    }),
  },
  {
    type: comment,
    graphql: declared((builder) => {
      builder.contentType("Comment", {
        type: comment,
        fields: (t) => ({
          content: t.exposeString("content"),
          subject: t.morph("subject"),
          mentions: t.morphs("mentions"),
        }),
      });
      addOperations(builder, "Comment", comment);
    }),
  },
  {
    type: vault,
    graphql: declared((builder) => {
      builder.contentType("Vault", { type: vault, fields: (t) => ({ name: t.exposeString("name") }) });
      addOperations(builder, "Vault", vault);
    }),
  },
];
