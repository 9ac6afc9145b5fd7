/** What code may ask of the document service, and write with it. Checked by `npm run typecheck`. */
import { defineExtension } from "../../runtime/app/extension.ts";
import type { Documents } from "../../runtime/documents/service.ts";
import { is } from "./same.ts";

export const written = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  const draft = await articles.create({
    data: {
      title: "Tea",
      featured: true,
      author: { documentId: "a" },
      categories: ["a", { id: 1 }],
      tags: { connect: [{ documentId: "b", position: { before: "c" } }], disconnect: [2] },
      cover: 3,
      seo: { metaDescription: "…" },
      sections: [{ __component: "blocks.quote", text: null }],
    },
    locale: "en",
    status: "draft",
    fields: ["title"],
  });
  is<{ id: number; documentId: string; title: string | null }>().of(draft, true);
  const updated = await articles.update(draft.documentId, {
    data: { author: null, categories: [], seo: { id: 1 } },
    fields: [],
    populate: ["author"],
  });
  if (updated) is<string | undefined>().of(updated.author?.name, true);
  const published = await articles.publish(draft.documentId, { fields: ["publishedAt"] });
  if (published) is<string>().of(published.publishedAt, true);
  const left = await articles.unpublish(draft.documentId, { fields: ["publishedAt"] });
  if (left) is<string | null>().of(left.publishedAt, true);
};

export const writtenTogether = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  const titles: readonly string[] = ["Tea", "Milk"];
  const made = await articles.createMany({
    data: titles.map((title) => ({ title, slug: title, author: "a", seo: { metaTitle: title } })),
    locale: "en",
  });
  is<string | undefined>().of(made.at(0), true);
  await articles.createMany({ data: titles.map((title) => ({ title })), status: "draft" });
  await articles.updateMany({
    filters: { author: { name: "Ada" } },
    data: { title: null, seo: null },
    status: "draft",
  });
  const left = await articles.deleteMany({ filters: { publishedAt: { $lt: "2020-01-01" } }, locale: "*" });
  is<string | undefined>().of(left.at(0), true);
};

export const asked = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  await articles.find({
    filters: {
      title: { $contains: "Tea", $not: { $in: ["a", null] } },
      slug: ["a", "b"],
      featured: true,
      excerpt: null,
      publishedAt: { $gt: "2026-01-01T00:00:00.000Z" },
      author: { name: { $eqi: "ada" }, articles: { tags: { name: "x" } } },
      categories: 5,
      cover: { ext: ".png" },
      seo: { metaTitle: { $null: true } },
      $or: [{ id: 1 }, { localizations: { locale: "de" } }],
      $not: { body: { $null: true } },
    },
    sort: ["publishedAt:desc", "title"],
    pagination: { page: 2, pageSize: 10 },
    publicationFilter: "modified",
    _q: "tea",
  });
  await articles.find({ sort: { author: { name: "asc" }, title: "desc" }, fields: "*", populate: "*" });
  await articles.find({ sort: [{ seo: { metaTitle: "asc" } }], populate: "author" });
  await articles.find({
    populate: {
      categories: { filters: { name: { $ne: "x" } }, sort: "name:desc", populate: { articles: { count: true } } },
      sections: { populate: "*" },
    },
  });
};

export const matched = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  is<number>().of(await articles.count({ filters: { author: { name: "Ada" } }, status: "draft" }), true);
  const { data, meta } = await articles.findPage({ fields: ["slug"], pagination: { after: "", limit: 5 } });
  is<string | null>().of(meta.pagination.after, true);
  is<{ id: number; documentId: string; slug: string }[]>().of(data, true);
  for await (const { slug } of articles.all({ fields: ["slug"], status: "draft" })) is<string | null>().of(slug, true);
  // @ts-expect-error all of them are no page
  articles.all({ pagination: { page: 2 } });
  is<boolean>().of(await articles.exists({ _q: "tea", locale: "de" }), true);
  const first = await articles.findFirst({ sort: "publishedAt:desc", fields: ["slug"], populate: { author: true } });
  if (first) is<string | undefined>().of(first.author?.name, true);
  // @ts-expect-error not in `fields`
  void first?.title;
  // @ts-expect-error no such attribute
  await articles.count({ filters: { titel: "Tea" } });
  // @ts-expect-error nothing is shown
  await articles.exists({ fields: ["title"] });
  // @ts-expect-error the first is no page
  await articles.findFirst({ pagination: { page: 2 } });
};

export const extension = defineExtension<"api::article.article">({
  hooks: {
    beforeCreate: ({ data }) => ({ ...data, title: data.title?.trim() ?? null }),
    // @ts-expect-error no such attribute
    beforeUpdate: ({ data }) => ({ ...data, title: data.titel }),
    afterUpdate({ document, previous }) {
      is<string | null>().of(document.title, true);
      is<string>().of(document.locale, true);
      is<string | null | undefined>().of(previous?.publishedAt, true);
      // @ts-expect-error no such attribute
      void previous?.titel;
      // @ts-expect-error a relation is asked for from the document service
      void document.author;
    },
    async afterDelete({ previous, services }) {
      await services.mailer.send({ to: "a@example.com", subject: "gone", text: previous.slug ?? "" });
      // @ts-expect-error nothing is left
      void previous.document;
    },
  },
});
