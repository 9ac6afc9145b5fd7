/** Generates typical code with reads: no two reads have the same type and form. */

/** Forms of a read, and what the code does with the answer. */
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

/** The reader: application code, or a front end with the generated client. */
export interface Reader {
  /** The module's header. */
  readonly head: readonly string[];
  /** The declared type of the answer. */
  readonly answer: string;
  /** The path from an awaited answer to the document's members. */
  readonly member: string;
  /** The expression for a content type, by its number. */
  readonly type: (number: number) => string;
}

export const application: Reader = {
  head: ['import type { Documents } from "galley-cms";', "declare const documents: Documents;", "void documents;"],
  answer: "found",
  member: "?.",
  type: (number) => `documents("api::item-${number}.item-${number}")`,
};

export const frontEnd: Reader = {
  head: [
    'import { createClient } from "./generated/client/index.ts";',
    'const cms = createClient({ url: "https://cms.example" });',
    "void cms;",
  ],
  answer: "{ data: found }",
  member: ".data.",
  type: (number) => `cms.items${number}`,
};

/** A module with `count` reads, spread over the existing content types. */
export const reads = (count: number, types: number, { head, answer, type }: Reader): string => {
  const functions = Array.from({ length: count }, (_, index) => {
    return `export const read${index} = async () => {
  const ${answer} = await ${type((index * 2) % types)}.${forms[index % forms.length]}
};
`;
  });
  return [...head, ...functions, ""].join("\n");
};
