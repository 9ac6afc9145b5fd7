/** What programs do with the generated client that are compiled without `strict`, and with it. */
import { createClient } from "../../generated/client/index.ts";

const cms = createClient({ url: "https://cms.example" });
declare const wanted: boolean;

export const read = async (): Promise<void> => {
  const { data } = await cms.articles.find({
    fields: ["title"],
    populate: { author: { fields: ["name"] }, sections: { on: { "blocks.quote": true } }, tags: wanted, seo: true },
    filters: { $or: [{ title: { $in: ["Tea", null] } }, { author: { name: { $containsi: "ada" } } }, { tags: 1 }] },
    sort: [{ author: { name: "asc" } }],
  });
  const name: string | undefined = data[0]?.author?.name;
  const quote: string | undefined = data[0]?.sections[0]?.text;
  const meta: string | null | undefined = data[0]?.seo?.metaTitle;
  const tag: string | undefined = data[0]?.tags?.[0]?.name;
  // @ts-expect-error left out by `fields`
  void data[0]?.slug;
  // @ts-expect-error not populated
  void data[0]?.cover;
  // @ts-expect-error private
  await cms.authors.find({ fields: ["email"] });
  // @ts-expect-error no such relation
  await cms.articles.find({ populate: { autor: true } });
  void [name, quote, meta, tag];
};

export const written = async (): Promise<void> => {
  const { data } = await cms.articles.create({ data: { title: "Tea", slug: "tea", tags: ["a"] }, populate: "tags" });
  const tag: string | undefined = data.tags[0]?.name;
  await cms.articles.update("a", { data: { seo: { metaTitle: "Tea" }, author: null } });
  // @ts-expect-error no such attribute
  await cms.articles.create({ data: { title: "Tea", slug: "tea", titel: "Tea" } });
  // @ts-expect-error wrong type
  await cms.articles.update("a", { data: { title: 1 } });
  void tag;
};
