/** Random filters and sorts over articles, as the read engine takes them. */
import * as fc from "fast-check";
import type { Filter } from "./evaluator.ts";

const text = fc.constantFrom("a", "b", "ab", "B", "é", "%", "_", "a_b");
const number = fc.integer({ min: 0, max: 4 });

const textOperator = fc.oneof(
  fc.record({ $eq: text }),
  fc.record({ $ne: text }),
  fc.record({ $eqi: text }),
  fc.record({ $contains: text }),
  fc.record({ $notContains: text }),
  fc.record({ $containsi: text }),
  fc.record({ $startsWith: text }),
  fc.record({ $endsWithi: text }),
  fc.record({ $in: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $notIn: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $null: fc.boolean() }),
  fc.record({ $gt: text, $lte: text }),
  fc.record({ $not: fc.record({ $contains: text }) }),
);

const numberOperator = fc.oneof(
  fc.record({ $eq: number }),
  fc.record({ $ne: number }),
  fc.record({ $gt: number }),
  fc.record({ $gte: number, $lt: number }),
  fc.record({ $between: fc.tuple(number, number) }),
  fc.record({ $in: fc.array(number, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $notNull: fc.boolean() }),
  fc.record({ $not: fc.record({ $lte: number }) }),
);

export const { categoryFilter, authorFilter, linkFilter, articleFilter } = fc.letrec<{
  categoryFilter: Filter;
  authorFilter: Filter;
  linkFilter: Filter;
  seoFilter: Filter;
  heroFilter: Filter;
  zoneFilter: Filter;
  articleFilter: Filter;
}>((tie) => {
  // `$not` stands inside groups: right below a relation it would belong to the relation's id.
  const groups = (
    name:
      | "categoryFilter"
      | "authorFilter"
      | "linkFilter"
      | "seoFilter"
      | "heroFilter"
      | "zoneFilter"
      | "articleFilter",
  ) => {
    const list = fc.array(fc.oneof(tie(name), fc.record({ $not: tie(name) })), { minLength: 1, maxLength: 3 });
    return [fc.record({ $and: list }), fc.record({ $or: list })];
  };
  const depth = { maxDepth: 3, depthIdentifier: "filters" };
  return {
    categoryFilter: fc.oneof(
      depth,
      fc.record({ name: textOperator }),
      fc.record({ position: numberOperator, name: textOperator }),
      fc.record({ articles: tie("articleFilter") }),
      ...groups("categoryFilter"),
    ),
    authorFilter: fc.oneof(
      depth,
      fc.record({ name: textOperator }),
      fc.record({ age: numberOperator }),
      fc.record({ boss: tie("authorFilter") }),
      fc.record({ deputy: tie("authorFilter") }),
      ...groups("authorFilter"),
    ),
    linkFilter: fc.oneof(
      depth,
      fc.record({ label: textOperator }),
      fc.record({ label: textOperator, amount: numberOperator }),
      fc.record({ owner: tie("authorFilter") }),
      ...groups("linkFilter"),
    ),
    seoFilter: fc.oneof(
      depth,
      fc.record({ title: textOperator }),
      fc.record({ topics: tie("categoryFilter") }),
      fc.record({ links: tie("linkFilter") }),
      ...groups("seoFilter"),
    ),
    heroFilter: fc.oneof(
      depth,
      fc.record({ heading: textOperator }),
      fc.record({ links: tie("linkFilter") }),
      ...groups("heroFilter"),
    ),
    zoneFilter: fc.oneof(
      depth,
      fc.record({ "blocks.quote": fc.record({ text: textOperator }) }),
      fc.record({ __component: fc.constantFrom("blocks.quote", "blocks.hero") }),
      fc.record({ "blocks.hero": tie("heroFilter"), "blocks.quote": fc.record({ text: textOperator }) }),
      fc.record({ $not: tie("zoneFilter") }),
      ...groups("zoneFilter"),
    ),
    articleFilter: fc.oneof(
      depth,
      fc.record({ title: textOperator }),
      fc.record({ rating: numberOperator }),
      fc.record({ title: textOperator, rating: numberOperator }),
      fc.record({ author: tie("authorFilter") }),
      fc.record({ categories: tie("categoryFilter") }),
      fc.record({ related: tie("articleFilter") }),
      fc.record({ seo: tie("seoFilter") }),
      fc.record({ links: tie("linkFilter") }),
      fc.record({ sections: tie("zoneFilter") }),
      fc.record({ author: fc.record({ $null: fc.boolean() }) }),
      fc.record({ categories: fc.record({ id: fc.record({ $null: fc.boolean() }) }) }),
      ...groups("articleFilter"),
    ),
  };
});

const sortPath = fc.constantFrom(
  "title",
  "rating",
  "author.name",
  "author.age",
  "author.boss.age",
  "author.boss.name",
  "categories.name",
  "categories.position",
  "seo.title",
  "links.amount",
  "related.rating",
  "related.author.name",
);

export const sorts = fc.array(
  fc
    .record({ path: sortPath, descending: fc.boolean() })
    .map(({ path, descending }) => `${path}:${descending ? "desc" : "asc"}`),
  { maxLength: 3 },
);

/** What was asked for, as a query string: values become text on the way. */
export const queryString = (value: unknown, prefix = ""): string[] => {
  if (typeof value !== "object" || value === null) return [`${prefix}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, inner]) => queryString(inner, prefix === "" ? key : `${prefix}[${key}]`));
};
