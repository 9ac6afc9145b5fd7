/** Code that reads, as people write it: no two reads are of the same type and form. */

/** Forms of a read, and what is done with the answer. */
const forms = [
  `find({ filters: { title: { $contains: "a" }, previous: { slug: "b" } }, sort: ["publishedOn:desc", "title"] });
  for (const { title, summary } of found) console.log(title.length, summary?.length);`,
  `findOne("a", { fields: ["title", "price"], populate: { previous: true, cover: { fields: ["url"] } } });
  console.log(found?.previous?.title.length, found?.cover?.url.length, found?.price?.toFixed());`,
  `find({ status: "draft", populate: { related: { fields: ["slug"], populate: { seo: true } } } });
  for (const { title, related } of found) console.log(title?.length, related[0]?.seo?.text?.length);`,
  `findOne("a", { populate: { sections: { on: { "shared.seo": { populate: { image: true } }, "shared.quote": true } } } });
  for (const section of found?.sections ?? []) if (section.__component === "shared.seo") console.log(section.image?.url);`,
  `find({
    filters: { $or: [{ previous: { partner: { rating: { $gt: 3 } } } }, { seo: { text: { $null: true } } }] },
    populate: { partner: { populate: { previous: { populate: { partner: { fields: ["title"] } } } } } },
  });
  for (const { partner } of found) console.log(partner?.previous?.partner?.title.length);`,
];

/** A module with `count` reads, of as many content types as there are. */
export const reads = (count: number, types: number): string => {
  const functions = Array.from({ length: count }, (_, index) => {
    const item = `item-${(index * 2) % types}`;
    return `export const read${index} = async () => {
  const found = await documents("api::${item}.${item}").${forms[index % forms.length]}
};
`;
  });
  return [
    'import type { Documents } from "galley-cms";',
    "declare const documents: Documents;",
    "void documents;",
    ...functions,
    "",
  ].join("\n");
};
