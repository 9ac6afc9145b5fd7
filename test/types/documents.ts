/** What the compiler says about the document service: every marked line must be refused. Checked by `npm run typecheck`. */
import { defineExtension } from "../../runtime/app/extension.ts";
import type { Documents } from "../../runtime/documents/service.ts";

export const accepted = async (documents: Documents): Promise<string | undefined> => {
  const articles = documents("api::article.article");
  const article = await articles.create({
    data: {
      title: "Tea",
      featured: true,
      author: { documentId: "a" },
      categories: ["a", { id: 1 }],
      tags: { connect: [{ documentId: "b", position: { before: "c" } }], disconnect: [2] },
      cover: 3,
      seo: { metaTitle: "Tea" },
      sections: [{ __component: "blocks.quote", text: "…" }],
    },
    locale: "en",
    status: "draft",
  });
  await articles.update(article.documentId, { data: { author: null, categories: [] } });
  const title: string = article.title;
  return article.author?.name ?? title;
};

export const refused = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  // @ts-expect-error no such content type
  documents("api::article.articel");
  // @ts-expect-error no such attribute
  await articles.create({ data: { titel: "Tea" } });
  // @ts-expect-error wrong type
  await articles.create({ data: { title: 1 } });
  // @ts-expect-error set by the server
  await articles.create({ data: { title: "Tea", documentId: "a" } });
  // @ts-expect-error no such attribute of the component
  await articles.create({ data: { seo: { metaTitel: "Tea" } } });
  // @ts-expect-error a component that the zone does not list
  await articles.create({ data: { sections: [{ __component: "shared.seo", metaTitle: "Tea" }] } });
  // @ts-expect-error no such status
  await articles.update("a", { data: {}, status: "published!" });
};

export const extension = defineExtension<"api::article.article">({
  hooks: {
    beforeCreate: ({ data }) => ({ ...data, title: data.title?.trim() ?? null }),
    // @ts-expect-error no such attribute
    beforeUpdate: ({ data }) => ({ ...data, title: data.titel }),
  },
});
