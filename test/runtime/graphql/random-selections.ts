/** Random questions about articles, and how they are asked over REST and in both formats of GraphQL. */
import * as fc from "fast-check";
import { articleFilter, categoryFilter, linkFilter, queryString, sorts } from "../query/random-queries.ts";

export type Format = "flat" | "entity";

const page = fc.oneof(
  fc.record({ page: fc.integer({ min: 1, max: 3 }), pageSize: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ start: fc.integer({ min: 0, max: 5 }), limit: fc.integer({ min: 1, max: 6 }) }),
);

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** What is asked; `format` is that of the GraphQL side. */
export const question = fc.record({
  format: fc.constantFrom<Format>("flat", "entity"),
  filters: fc.oneof(articleFilter, fc.record({ $not: articleFilter })),
  sort: sorts,
  pagination: page,
  status: fc.constantFrom("published", "draft"),
  locale: fc.constantFrom("en", "fr", "*"),
  categories: optional(
    fc.record({ filters: optional(categoryFilter), sort: fc.constantFrom("name:desc", "position") }),
  ),
  related: optional(fc.record({ filters: optional(articleFilter), author: fc.boolean() })),
  links: optional(fc.record({ filters: optional(linkFilter) })),
  author: fc.boolean(),
  seo: fc.boolean(),
});

export type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

/** What only one of the two can ask: the flat format has no `endsWithi`, the entity format no drafts alone. */
export const askable = (drawn: Question): Question => {
  if (drawn.format === "entity") return { ...drawn, status: "published" };
  return JSON.parse(JSON.stringify(drawn).replaceAll("$endsWithi", "$endsWith"));
};

const stamps = ["createdAt", "publishedAt", "locale"];

/** Leaves out what is undefined. */
const present = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export const restPath = (asked: Question): string => {
  const { filters, sort, pagination, status, locale, categories, related, links, author, seo } = asked;
  const named = { fields: ["name"] };
  const populate = present({
    categories: categories && present({ ...categories, fields: ["name", "position"] }),
    related:
      related &&
      present({
        filters: related.filters,
        fields: ["title"],
        populate: related.author ? { author: named } : undefined,
      }),
    links: links && present({ ...links, fields: ["label", "amount"], populate: { owner: named } }),
    author: author ? { fields: ["name", "age"], populate: { boss: named } } : undefined,
    seo: seo ? { fields: ["title"], populate: { topics: named, links: { fields: ["label"] } } } : undefined,
  });
  const fields = ["title", "rating", ...stamps];
  const parameters = queryString({ filters, sort, pagination, status, locale, fields, populate });
  return `/articles?${parameters.join("&")}`;
};

const COMPONENTS: Readonly<Record<string, string>> = {
  "blocks.quote": "ComponentBlocksQuote",
  "blocks.hero": "ComponentBlocksHero",
};

/** A filter in the words of a format: operators without their `$`, documents known by the format's own id. */
const filterInput = (filter: unknown, id: string): unknown => {
  if (Array.isArray(filter)) return filter.map((item) => filterInput(item, id));
  if (typeof filter !== "object" || filter === null) return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]: [string, unknown]) => {
      if (name === "id") return [id, filterInput(value, id)];
      if (name === "__component") return ["component", { eq: value }];
      if (name in COMPONENTS) return [COMPONENTS[name], filterInput(value, id)];
      const isRelation = !name.startsWith("$") && typeof value === "object" && value !== null && "$null" in value;
      // `author: { $null }` asks for the relation itself.
      if (isRelation && name === "author") return [name, { [id]: filterInput(value, id) }];
      return [name.replace("$", ""), filterInput(value, id)];
    }),
  );
};

/** A value as a literal of the query language. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(", ")} }`;
};

/** Arguments as literals. */
const args = (given: Readonly<Record<string, unknown>>): string => {
  const listed = Object.entries(present(given)).map(([name, value]) => `${name}: ${literal(value)}`);
  return listed.length > 0 ? `(${listed.join(", ")})` : "";
};

export interface GraphqlQuestion {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The same question of GraphQL: root arguments as variables, nested ones as literals, and a part of it in a fragment. */
export const graphqlQuestion = (asked: Question): GraphqlQuestion => {
  const { format, filters, sort, pagination, status, locale, categories, related, links, author, seo } = asked;
  const entity = format === "entity";
  const id = entity ? "id" : "documentId";
  const row = (selection: string): string => (entity ? `id attributes { ${selection} }` : `documentId ${selection}`);
  const lead = (field: string, selection: string): string =>
    entity ? `${field} { data { ${row(selection)} } }` : `${field} { ${row(selection)} }`;
  const nested = (filter: unknown): unknown => (filter === undefined ? undefined : filterInput(filter, id));
  const selection = [
    `title rating ${stamps.join(" ")}`,
    categories && lead(`categories${args({ ...categories, filters: nested(categories.filters) })}`, "name position"),
    related &&
      lead(
        `related${args({ filters: nested(related.filters) })}`,
        `title ${related.author ? lead("author", "name") : ""}`,
      ),
    links && `links${args({ filters: nested(links.filters) })} { id label amount ${lead("owner", "name")} }`,
    author && lead("author", `name age ${lead("boss", "name")}`),
    seo && `seo { id title ${lead("topics", "name")} links { id label } }`,
  ];
  const facts = "page pageSize pageCount total";
  const root = entity
    ? `articles(ARGS) { data { ${row("...Parts")} } meta { pagination { ${facts} } } }`
    : `articles_connection(ARGS) { nodes { ${row("...Parts")} } pageInfo { ${facts} } }`;
  const state = entity ? "" : ", $status: PublicationStatus";
  const given = `filters: $filters, sort: $sort, pagination: $page, locale: $locale${entity ? "" : ", status: $status"}`;
  return {
    text: `query List($filters: ArticleFiltersInput, $sort: [String], $page: PaginationArg, $locale: I18NLocaleCode${state}) {
      ${root.replace("ARGS", given)} }
      fragment Parts on Article { ${selection.filter(Boolean).join(" ")} }`,
    variables: {
      filters: filterInput(filters, id),
      sort,
      page: pagination,
      locale: entity && locale === "*" ? "all" : locale,
      ...(entity ? {} : { status: status.toUpperCase() }),
    },
  };
};
