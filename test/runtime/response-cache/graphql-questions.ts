/** Random queries about the example, in the ways in which clients write them. */
import type { Random } from "../../../scripts/chaos/random.ts";
import { at } from "../../support/auth-app.ts";

export interface Question {
  readonly query: string;
  readonly operationName?: string;
}

export type Variables = Readonly<Record<string, unknown>>;

const file = "{ data { id attributes { url alternativeText } } }";

/** What can be selected of each type; variables are `$page`, `$name`, `$deep` and `$state`. */
const selections: Readonly<Record<string, readonly string[]>> = {
  article: [
    "title slug createdAt",
    "publishedAt locale",
    "author { data { id attributes { name portrait " + file + " } } }",
    "writer: author { data { attributes { biography @include(if: $deep) name } } }",
    "categories(pagination: $page) { data { attributes { name } } }",
    "tags(filters: { name: { contains: $name } }) { data { attributes { name } } }",
    "related(publicationState: $state) { data { attributes { title } } }",
    "cover " + file + " gallery " + file,
    "seo { metaTitle image @skip(if: $deep) " + file + " }",
    "sections { __typename ... on ComponentBlocksQuote { text } ... on ComponentBlocksGallery { images " +
      file +
      " } }",
    "localizations { data { attributes { locale title } } }",
  ],
  author: [
    "name",
    "slug",
    "biography",
    "portrait " + file,
    "articles(pagination: $page) { data { attributes { title } } }",
  ],
  category: ["name", "locale", "articles { data { attributes { title } } }"],
  tag: ["name slug", "...Whole", "articles(publicationState: $state) { data { id } }"],
};

const plurals: Readonly<Record<string, string>> = { category: "categories" };

const single: readonly string[] = [
  "homepage { data { attributes { title sections { ... on ComponentBlocksArticles { heading articles { data { attributes { title } } } } } } } }",
  'homepage(locale: "de") { data { attributes { title } } }',
  "global { data { attributes { siteName logo " + file + " } } }",
];

/** What does not depend on the documents alone. */
const others: readonly string[] = ["me { id username }", "i18NLocales { data { attributes { code } } }", "__typename"];

/** @param idOf the id of some document of a type */
export const graphqlQuestion = (random: Random, idOf: (type: string) => string): Question => {
  const rootOf = (number: number): string => {
    if (random.chance(0.15)) return random.pick(single);
    if (random.chance(0.05)) return random.pick(others);
    const type = random.pick(Object.keys(selections));
    const inner = `attributes { ${random.pick(selections[type] ?? [])} ${random.pick(selections[type] ?? [])} }`;
    if (random.chance(0.3)) return `one${number}: ${type}(id: "${idOf(type)}") { data { id ${inner} } }`;
    const args = random.pick([
      "",
      "(pagination: $page)",
      "(pagination: $page, publicationState: $state)",
      "(filters: { name: { contains: $name } })",
      '(sort: "id:desc", publicationState: PREVIEW)',
    ]);
    const own = type === "article" ? args.replace("name:", "title:") : args;
    return `list${number}: ${plurals[type] ?? `${type}s`}${own} { data { ${inner} } meta { pagination { total } } }`;
  };
  const roots = Array.from({ length: 1 + random.below(2) }, (_, number) => rootOf(number)).join(" ");
  const fragment = roots.includes("...Whole") ? " fragment Whole on Tag { name updatedAt }" : "";
  const declared = [
    "$page: PaginationArg = { pageSize: 3 }",
    '$name: String = "1"',
    "$deep: Boolean = false",
    "$state: PublicationState",
  ].filter((each) => roots.includes(each.slice(0, each.indexOf(":"))));
  const list = declared.length === 0 ? "" : `(${declared.join(", ")})`;
  const name = random.chance(0.5) ? "Asked" : "";
  const text = `query ${name}${list} { ${roots} }${fragment}`;
  return { query: text, ...(name && random.chance(0.5) ? { operationName: name } : {}) };
};

/** Values for the variables of any question. */
export const someVariables = (random: Random): Variables => ({
  ...(random.chance(0.5)
    ? { page: random.pick([{ limit: 2 }, { page: 2, pageSize: 2 }, { pageSize: 2, page: 1 }]) }
    : {}),
  ...(random.chance(0.5) ? { name: random.pick(["2", "x", null]) } : {}),
  ...(random.chance(0.5) ? { deep: random.chance(0.5) } : {}),
  ...(random.chance(0.5) ? { state: random.pick(["LIVE", "PREVIEW"]) } : {}),
});

/** An answer without the order of its errors: those of several fields come as their reads end. */
export const withoutOrder = (text: string): unknown => {
  const body: unknown = JSON.parse(text);
  const errors = at(body, "errors");
  if (!Array.isArray(errors)) return text;
  return { data: at(body, "data"), errors: errors.map((error) => JSON.stringify(error)).toSorted() };
};
