/** The measured requests, the same for both servers. */
import { randomUUID } from "node:crypto";

export interface BenchRequest {
  readonly name: string;
  /** `{number}` stands for the number of some document as in its id, and `{page}` for some page number. */
  readonly path: string;
  /** GET by default. */
  readonly method?: "POST" | "PUT";
  /** The body of the request with this number. */
  readonly body?: (number: number) => object;
  /** The maximum CPU as a multiple of the other server's; undefined if that one does less. */
  readonly goal?: number;
}

/** The pages requested. */
export const PAGES = 20;

const list = "/api/articles?pagination[pageSize]=25";
const related = "populate[author]=true&populate[reviewer]=true&populate[categories]=true&populate[cover]=true";

const category = (number: number): string => `catg${String(1 + (number % 50)).padStart(20, "0")}`;
const author = (number: number): string => `autr${String(1 + (number % 500)).padStart(20, "0")}`;

const content = (number: number): object => ({
  title: `Written ${number}`,
  summary: "Some words. ".repeat(10),
  body: [{ type: "paragraph", children: [{ type: "text", text: `Paragraph ${number}. `.repeat(20) }] }],
  views: number % 1000,
  author: author(number),
  categories: [category(number), category(number + 1), category(number + 2)],
  seo: { title: `Seo ${number}`, description: "All about it" },
  sections: [
    { __component: "blocks.quote", text: `To be or not to be, ${number}`, by: "Somebody" },
    { __component: "blocks.text", body: "Text of section. ".repeat(20) },
  ],
});

const whole = `${related}&populate[seo][populate]=*&populate[sections][populate]=*`;
const populated = `${list}&${related}`;
const everything = `${list}&${whole}`;
const filtered = `${list}&filters[author][name]=Author 7&filters[views][$lt]=90000&sort=views:desc`;

const writes: readonly BenchRequest[] = [
  {
    name: "publish a new document with relations and components",
    path: "/api/articles",
    method: "POST",
    body: (number) => ({ data: { ...content(number), slug: randomUUID() } }),
  },
  {
    name: "update and publish a document with relations and components",
    path: "/api/articles/artc{number}",
    method: "PUT",
    body: (number) => ({ data: content(number) }),
  },
];

export const requests: readonly BenchRequest[] = [
  { name: "one document", path: "/api/articles/artc{number}", goal: 1.5 },
  { name: "list of 25 with total", path: list, goal: 1.2 },
  { name: "… with three relations and media", path: populated, goal: 1.2 },
  {
    name: "… with everything and a dynamic zone",
    path: everything,
    goal: 1.2,
  },
  {
    name: "filtered and sorted, by a relation too",
    path: filtered,
    goal: 1.2,
  },
  ...writes.map((write) => ({ ...write, goal: 1.5 })),
];

const paragraph = (number: number) => ({
  type: "paragraph",
  text: `Paragraph ${number}: ${"the quick brown fox jumps over the lazy dog. ".repeat(9)}`,
});

const story = (number: number): object => ({
  title: `Story ${number}`,
  summary: "Some words. ".repeat(10),
  data: { words: 400, parts: [1, 2, 3, 4].map((part) => paragraph(number * part)) },
  views: number % 1000,
  rating: 4.5,
  featured: number % 3 === 0,
  day: "2026-01-01",
  cover: 1 + (number % 2000),
  author: author(number),
  categories: [category(number), category(number + 1)],
  seo: { title: `Seo ${number}`, description: "All about it" },
  sections: [
    { __component: "blocks.quote", text: `To be or not to be, ${number}`, by: "Somebody" },
    { __component: "blocks.text", body: "Text of section. ".repeat(20) },
  ],
});

const newStory = (number: number): object => ({ data: { ...story(number), slug: randomUUID() } });
const storyChange = (number: number): object => ({ data: story(number) });

/**
 * Writes of an article with eight attributes, one of them 2 kB of JSON, and with relations, media, a component and a
 * zone. The goals are multiples of what any server has to store.
 */
export const stories: readonly BenchRequest[] = [
  { name: "create and publish", path: "/api/stories", method: "POST", body: newStory, goal: 2 },
  { name: "update and publish", path: "/api/stories/stor{number}", method: "PUT", body: storyChange, goal: 1.8 },
  { name: "create a draft", path: "/api/stories?status=draft", method: "POST", body: newStory, goal: 2 },
  {
    name: "update a draft",
    path: "/api/stories/stor{number}?status=draft",
    method: "PUT",
    body: storyChange,
    goal: 1.8,
  },
];

/** The same request at the limit that stores only the row which is read afterwards. */
export const asOneRow = (request: BenchRequest): BenchRequest => ({
  ...request,
  path: `${request.path}${request.path.includes("?") ? "&" : "?"}row`,
});

const page = `${list}&pagination[page]={page}`;

/** Lists requested for the first time, while their totals are cached. The goals are multiples of the limit. */
export const pages: readonly BenchRequest[] = [
  { name: "any page of 25, total kept", path: page, goal: 0.5 },
  { name: "… with three relations and media, total kept", path: `${page}&${related}`, goal: 0.7 },
  { name: "… with everything and a dynamic zone, total kept", path: `${page}&${whole}`, goal: 0.8 },
  { name: "filtered and sorted, by a relation too, total kept", path: filtered, goal: 0.5 },
];

export type GraphqlFormat = "entity" | "flat";

export interface GraphqlPair {
  readonly format: GraphqlFormat;
  readonly graphql: BenchRequest;
  /** The request with the same values in its answer. */
  readonly rest: BenchRequest;
}

const stamps = "createdAt updatedAt publishedAt";
const fileFields = `name alternativeText caption focalPoint width height formats hash ext mime size url previewUrl provider
  provider_metadata ${stamps}`;
const articleFields = `title slug summary body views featured day locale ${stamps}`;
const authorFields = `name email bio ${stamps}`;
const categoryFields = `name slug ${stamps}`;

/** A field that leads to documents or files, in a format's terms. */
type Lead = (field: string, selection: string) => string;

const leads: Readonly<Record<GraphqlFormat, Lead>> = {
  entity: (field, selection) => `${field} { data { id attributes { ${selection} } } }`,
  flat: (field, selection) => `${field} { documentId ${selection} }`,
};

const relations = (lead: Lead): string =>
  [
    lead("author", authorFields),
    lead("reviewer", authorFields),
    lead("categories", categoryFields),
    lead("cover", fileFields),
  ].join(" ");

const components = (lead: Lead): string => {
  const image = lead("image", fileFields);
  return `seo { id title description ${image} } sections { __typename
    ... on ComponentBlocksHero { id heading ${image} } ... on ComponentBlocksQuote { id text by }
    ... on ComponentBlocksText { id body } }`;
};

const firstPage = "pagination: { pageSize: 25 }";

const listOf: Readonly<Record<GraphqlFormat, (selection: string) => string>> = {
  entity: (selection) => `query List { articles(${firstPage}) { data { id attributes { ${selection} } }
    meta { pagination { page pageSize pageCount total } } } }`,
  flat: (selection) => `query List { articles_connection(${firstPage}) { nodes { documentId ${selection} }
    pageInfo { page pageSize pageCount total } } }`,
};

const pair = (format: GraphqlFormat, name: string, selection: (lead: Lead) => string, path: string): GraphqlPair => {
  const query = listOf[format](`${articleFields} ${selection(leads[format])}`);
  return {
    format,
    graphql: { name: `${name}, ${format}`, path: "/graphql", method: "POST", body: () => ({ query }), goal: 2 },
    rest: { name, path, goal: 1 },
  };
};

const allOf = (lead: Lead): string => `${relations(lead)} ${components(lead)}`;

export const graphqlPairs: readonly GraphqlPair[] = [
  pair("entity", "three relations and media", relations, populated),
  pair("flat", "three relations and media", relations, populated),
  pair("entity", "everything and a dynamic zone", allOf, everything),
  pair("flat", "everything and a dynamic zone", allOf, everything),
];
