/** Fills the site with made-up pages in two languages: `PAGES=5000 npx cms seed`. */
import { defineSeed } from "galley-cms";
import { de, en, randomOf, sentences } from "./words.ts";

/** The pages below each other page. */
const CHILDREN = 10;

const numbered = (page: number): string => String(page).padStart(4, "0");

/** The sections of a page. */
const sectionsOf = (language: typeof en, page: number) => {
  const random = randomOf(page);
  const text = (count: number) => sentences(language, random, count);
  return [
    { __component: "docs.text" as const, heading: text(1), body: `${text(5)}. **${text(1)}**. ${text(5)}.` },
    {
      __component: "docs.code" as const,
      language: page % 2 === 0 ? ("sh" as const) : ("yaml" as const),
      caption: text(1),
      code: "whoami",
    },
    {
      __component: "docs.notice" as const,
      tone: page % 5 === 0 ? ("warning" as const) : ("hint" as const),
      text: [
        {
          type: "paragraph" as const,
          children: [{ type: "text" as const, text: `${language.error} E${numbered(page)}` }],
        },
      ],
    },
    { __component: "docs.text" as const, heading: text(1), body: `${text(8)}.` },
  ];
};

const titleOf = (language: typeof en, page: number): string =>
  `${sentences(language, randomOf(page), 1)}, ${language.part} ${page}`;

export default defineSeed(async ({ document }) => {
  const pages = Number(process.env["PAGES"] ?? 50);
  const write = (page: number, parent?: string): Promise<string> => {
    const inLanguage = (language: typeof en) => ({
      slug: `page-${page}`,
      kind: page % 4 === 0 ? ("guide" as const) : ("reference" as const),
      ...(parent === undefined ? {} : { parent }),
      title: titleOf(language, page),
      sections: sectionsOf(language, page),
    });
    return document("api::page.page", { key: "slug", data: inLanguage(en), translations: { de: inLanguage(de) } });
  };
  const written = [await write(0)];
  // Pages of one parent, together.
  for (let first = 1; first < pages; first += CHILDREN) {
    const parent = written[(first - 1) / CHILDREN];
    const count = Math.min(CHILDREN, pages - first);
    written.push(...(await Promise.all(Array.from({ length: count }, (_, index) => write(first + index, parent)))));
  }
});
