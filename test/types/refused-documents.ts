import type { Article } from "../../generated/article/document.ts";
/** What the compiler refuses of the document service: every marked line. Checked by `npm run typecheck`. */
import type { Documents } from "../../runtime/documents/service.ts";
import type { DocumentFields, MorphDocument } from "../../runtime/schema/document.ts";
import type { Populate, ZoneFilters } from "../../runtime/schema/typed/index.ts";

interface Comment extends DocumentFields {
  subject?: MorphDocument | null;
}

export const comments: readonly Populate<Comment>[] = [
  { subject: true },
  { subject: { on: { "api::article.article": { fields: ["title"], populate: { author: true } } } } },
  // @ts-expect-error left out of the answer: what it leads to is not known
  { subject: { populate: "*" } },
];

export const refused = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  // @ts-expect-error no such content type
  documents("api::article.articel");

  // @ts-expect-error no such attribute
  await articles.create({ data: { title: "Tea", slug: "tea", titel: "Tea" } });
  // @ts-expect-error a slug is required where it is published
  await articles.create({ data: { title: "Tea" } });
  // @ts-expect-error wrong type
  await articles.create({ data: { title: 1 }, status: "draft" });
  // @ts-expect-error set by the server
  await articles.create({ data: { title: "Tea", slug: "tea", documentId: "a" } });
  // @ts-expect-error no such attribute of the component
  await articles.create({ data: { seo: { metaTitel: "Tea" } }, status: "draft" });
  // @ts-expect-error a component that the zone does not list
  await articles.update("a", { data: { sections: [{ __component: "shared.seo", metaTitle: "Tea" }] } });
  // @ts-expect-error no attribute of this component
  await articles.update("a", { data: { sections: [{ __component: "blocks.quote", heading: "Tea" }] } });
  // @ts-expect-error no component is named
  await articles.update("a", { data: { sections: [{ text: "Tea" }] } });
  // @ts-expect-error what is published has a title
  await articles.update("a", { data: { title: null } });
  // @ts-expect-error a document is named by one of its ids
  await articles.update("a", { data: { author: { name: "Ada" } } });
  // @ts-expect-error categories have no drafts: the name is required
  await documents("api::category.category").create({ data: { slug: "a" }, status: "draft" });
  // @ts-expect-error no such status
  await articles.update("a", { data: {}, status: "published!" });

  // @ts-expect-error a slug is required where they are published
  await articles.createMany({ data: [{ title: "Tea", slug: "tea" }, { title: "Milk" }] });
  // @ts-expect-error no such attribute
  await articles.createMany({ data: [{ title: "Tea", slug: "tea", titel: "Tea" }] });
  // @ts-expect-error nothing is shown of what is written together
  await articles.createMany({ data: [], populate: "*" });
  // @ts-expect-error wrong type
  await articles.updateMany({ filters: {}, data: { title: 1 } });
  // @ts-expect-error what is published has a title
  await articles.updateMany({ filters: {}, data: { title: null } });
  // @ts-expect-error nothing says which
  await articles.updateMany({ data: { title: "Tea" } });
  // @ts-expect-error no such attribute in a filter
  await articles.updateMany({ filters: { titel: "Tea" }, data: { title: "Tea" } });
  // @ts-expect-error nothing says which
  await articles.deleteMany({});
  // @ts-expect-error no such operator
  await articles.deleteMany({ filters: { title: { $contain: "Tea" } } });

  // @ts-expect-error no such parameter
  await articles.find({ filter: {} });
  // @ts-expect-error no such attribute
  await articles.find({ fields: ["titel"] });
  // @ts-expect-error a relation is populated
  await articles.find({ fields: ["author"] });
  // @ts-expect-error a value is no relation
  await articles.find({ populate: ["title"] });
  // @ts-expect-error no such relation
  await articles.find({ populate: { autor: true } });
  // @ts-expect-error no such relation beside one that is there
  await articles.find({ populate: { author: true, autor: true } });
  // @ts-expect-error no such attribute of the author
  await articles.find({ populate: { author: { fields: ["nam"] } } });
  // @ts-expect-error no such option
  await articles.find({ populate: { author: { field: ["name"] } } });
  // @ts-expect-error no such option beside one that is there
  await articles.find({ populate: { author: { fields: ["name"], field: ["name"] } } });
  // @ts-expect-error no such relation two levels down
  await articles.find({ populate: { author: { populate: { portrait: true, portrai: true } } } });
  // @ts-expect-error no such attribute in a filter inside
  await articles.find({ populate: { categories: { filters: { name: "a", nam: "a" } } } });
  // @ts-expect-error no such operator inside
  await articles.find({ populate: { categories: { filters: { $and: [{ name: { $contain: "a" } }] } } } });
  // @ts-expect-error no such attribute in an order inside
  await articles.find({ populate: { categories: { sort: "nam" } } });
  // @ts-expect-error a component that the zone does not list
  await articles.find({ populate: { sections: { on: { "blocks.quote": true, "shared.seo": true } } } });
  // @ts-expect-error no attribute of that component
  await articles.find({ populate: { sections: { on: { "blocks.quote": { fields: ["heading"] } } } } });
  // @ts-expect-error files are listed, not counted
  await articles.find({ populate: { gallery: { counted: true } } });

  // @ts-expect-error no such attribute
  await articles.find({ filters: { titel: "Tea" } });
  // @ts-expect-error no such attribute beside one that is there
  await articles.find({ filters: { title: "Tea", titel: "Tea" } });
  // @ts-expect-error no such attribute of the author
  await articles.find({ filters: { author: { nam: "Ada" } } });
  // @ts-expect-error wrong type
  await articles.find({ filters: { title: 1 } });
  // @ts-expect-error no such operator
  await articles.find({ filters: { title: { $contain: "Tea" } } });
  // @ts-expect-error a truth value holds no text
  await articles.find({ filters: { featured: { $contains: "t" } } });
  // @ts-expect-error no such attribute in a group
  await articles.find({ filters: { $or: [{ title: "Tea" }, { titel: "Tea" }] } });
  // @ts-expect-error a zone cannot be filtered
  await articles.find({ filters: { sections: { text: "Tea" } } });
  const inZone: ZoneFilters<Article> = {
    title: "Tea",
    sections: {
      $or: [
        { "blocks.text": { body: { $containsi: "tea" } }, $not: { __component: ["blocks.quote"] } },
        { __component: { $ne: "blocks.gallery" } },
      ],
    },
  };
  await articles.find({ filters: inZone });
  await articles.find({ filters: { $and: [inZone] } });
  // @ts-expect-error a component that the zone does not list
  const absent: ZoneFilters<Article>["sections"] = { "shared.seo": {} };
  // @ts-expect-error no such attribute of the component
  const unnamed: ZoneFilters<Article>["sections"] = { "blocks.text": { bodi: "tea" } };
  // @ts-expect-error no such component
  const other: ZoneFilters<Article>["sections"] = { __component: "blocks.texts" };
  await articles.find({ filters: { $or: [absent, unnamed, other].map(() => inZone) } });
  // @ts-expect-error no such attribute
  await articles.find({ sort: "titel" });
  // @ts-expect-error no such direction
  await articles.find({ sort: "title:down" });
  // @ts-expect-error no such attribute of the author
  await articles.find({ sort: { author: { nam: "asc" } } });
  // @ts-expect-error no such attribute among others
  await articles.find({ sort: ["title", "titel:asc"] });
};
