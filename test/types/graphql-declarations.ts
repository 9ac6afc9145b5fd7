/** What the compiler says about `graphql.ts` files: every marked line must be refused. Checked by `npm run typecheck`. */
import { article } from "../../generated/article/type.ts";
import { sharedLink } from "../../generated/components/shared/link.ts";
import type { Builder } from "../../runtime/graphql/builder.ts";

export const refused = (builder: Builder): void => {
  builder.contentType("Article", {
    type: article,
    fields: (t) => ({
      // @ts-expect-error no such attribute
      title: t.exposeString("titel"),
      // @ts-expect-error not a text
      featured: t.exposeString("featured"),
      // @ts-expect-error may be null
      excerpt: t.exposeString("excerpt", { nullable: false }),
      // @ts-expect-error not a relation to that type
      author: t.relation("author", "Article"),
      // @ts-expect-error not to many
      seo: t.relations("author", "Author"),
      // @ts-expect-error not to one
      categories: t.relation("categories", "Category"),
      // @ts-expect-error a component is no document
      tags: t.relations("tags", "ComponentSharedSeo"),
      // @ts-expect-error no such type
      related: t.relations("related", "Artcle"),
      // @ts-expect-error several files
      gallery: t.file("gallery"),
      // @ts-expect-error not a file
      cover: t.file("author"),
      // @ts-expect-error the zone takes others too
      sections: t.zone("sections", "ArticleSectionsDynamicZone", ["ComponentBlocksText"]),
    }),
  });
  // @ts-expect-error the descriptor of another type
  builder.contentType("Author", { type: article, fields: () => ({}) });
  // @ts-expect-error a component
  builder.contentType("ComponentSharedLink", { type: article, fields: () => ({}) });
  builder.component("ComponentSharedLink", {
    component: sharedLink,
    // @ts-expect-error a single entry of another component
    fields: (t) => ({ label: t.component("label", "ComponentSharedSeo") }),
  });
  builder.queryFields((t) => ({
    // @ts-expect-error no such type
    one: t.findOne("Artcle", { can: "api::article.article.findOne" }),
    // @ts-expect-error components are found by what they belong to
    seo: t.findMany("ComponentSharedSeo", { can: "api::article.article.find" }),
    // @ts-expect-error a permission has to be named
    many: t.findMany("Article", {}),
  }));
  builder.mutationFields((t) => ({
    // @ts-expect-error no such type
    create: t.create("Artcle", { can: "api::article.article.create" }),
  }));
};
