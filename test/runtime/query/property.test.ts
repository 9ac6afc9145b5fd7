/**
 * Random filters, sorts and populates over random data give what a plain evaluator gives over the same data in memory.
 * The evaluator knows nothing of SQL: it walks objects.
 */
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { localesOf, parseQuery, readMany } from "../../../runtime/query/index.ts";
import { freshDatabase } from "../../support/database.ts";
import { RUNS } from "../../support/thorough.ts";
import { article } from "./content.ts";
import { evaluate, readableOf, type RowRules, stateIn } from "./evaluator.ts";
import { type Data, randomData, store } from "./random-data.ts";
import { articleFilter, authorFilter, categoryFilter, queryString, sorts } from "./random-queries.ts";
import { createWorld, itemsOf, reader, type World } from "./world.ts";

let world: World;
let data: Data;

beforeAll(async () => {
  world = await createWorld(await freshDatabase("postgres"));
  data = randomData();
  await store(world.database, data);
  // Without statistics, estimates of what a query costs are those of large tables.
  await world.database.script("analyze");
});

const populate = fc.record(
  {
    author: fc.record({ fields: fc.constant(["name"]), filters: authorFilter }, { requiredKeys: ["fields"] }),
    categories: fc.record(
      { fields: fc.constant(["name"]), filters: categoryFilter, sort: fc.constantFrom("name:desc", "position") },
      { requiredKeys: ["fields"] },
    ),
    related: fc.record(
      {
        fields: fc.constant(["title"]),
        populate: fc.constant({ author: { fields: ["name"] } }),
        filters: articleFilter,
      },
      { requiredKeys: ["fields", "populate"] },
    ),
  },
  { requiredKeys: [] },
);

const query = fc.record({
  filters: fc.oneof(articleFilter, fc.record({ $not: articleFilter })),
  sort: sorts,
  populate,
  status: fc.constantFrom("published", "draft"),
  locale: fc.constantFrom("en", "fr", "*"),
});

test("filters, sort and populate agree with the evaluator", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const raw = `${queryString(asked).join("&")}&fields=title&pagination[pageSize]=100`;
      const { documents, pagination } = await readMany(world.context(), article, parseQuery(raw));
      const expected = evaluate(data, asked);
      expect(itemsOf(documents)).toEqual(expected);
      found += expected.length;
      expect(pagination.total).toBe(expected.length);
    }),
    { numRuns: RUNS.queries },
  );
  // Agreeing on nothing would prove nothing.
  expect(found).toBeGreaterThan(200);
});

/** The same in a search, and with a locale that stands in for a missing one. */
const searched = fc
  .tuple(query, fc.option(fc.constantFrom("a", "B", "é")), fc.option(fc.constantFrom("en", "fr")))
  .map(([asked, words, fallback]) => ({
    ...asked,
    ...(words === null ? {} : { _q: words }),
    ...(fallback === null || fallback === asked.locale || asked.locale === "*" ? {} : { fallback }),
  }));

const ruleOf = <Rule>(filter: fc.Arbitrary<Rule>) => fc.oneof(filter, fc.record({ $not: filter }));

const rules = fc.record(
  { articles: ruleOf(articleFilter), authors: ruleOf(authorFilter), categories: ruleOf(categoryFilter) },
  { requiredKeys: [] },
);

const UIDS = { articles: "api::article.article", authors: "api::author.author", categories: "api::category.category" };

/** A caller who may read only the rows that meet the rules. */
const limitedBy = (limits: RowRules): Caller => {
  const filters = (["articles", "authors", "categories"] as const).flatMap((name) => {
    const where = limits[name];
    return where === undefined ? [] : [[`${UIDS[name]}.find`, [{ where, locales: undefined }]] as const];
  });
  return { ...reader, rows: { key: JSON.stringify(filters), filters: new Map(filters) } };
};

test("whoever may read only some rows is answered as if there were no others", async () => {
  let [found, hidden] = [0, 0];
  const context = world.context();
  await fc.assert(
    fc.asyncProperty(searched, rules, async (asked, limits) => {
      const raw = `${queryString(asked).join("&")}&fields=title&pagination[pageSize]=100`;
      const caller = limitedBy(limits);
      const { documents, pagination } = await readMany({ ...context, caller }, article, raw);
      const readable = readableOf(data, limits);
      const expected = evaluate(readable, asked);
      expect(itemsOf(documents)).toEqual(expected);
      expect(pagination.total).toBe(expected.length);
      found += expected.length;
      hidden += evaluate(data, asked).length - expected.length;
      if (!("fallback" in asked)) return;
      const documentIds = [...new Set(data.articles.map((row) => row.documentId))];
      const states = await localesOf({ ...context, caller }, article, documentIds);
      for (const documentId of documentIds) {
        const [en, fr] = [stateIn(readable, documentId, "en"), stateIn(readable, documentId, "fr")];
        expect(states.get(documentId)).toEqual({ en, fr });
      }
    }),
    { numRuns: RUNS.queries },
  );
  expect(found).toBeGreaterThan(100);
  expect(hidden).toBeGreaterThan(100);
});

const page = fc.record({
  filters: fc.oneof(fc.constant({}), articleFilter),
  sort: sorts.filter((keys) => keys.length > 0),
  populate: fc.constant({}),
  status: fc.constantFrom("published", "draft"),
  locale: fc.constantFrom("en", "fr", "*"),
  pagination: fc.record({ start: fc.nat(9), limit: fc.integer({ min: 1, max: 12 }), withCount: fc.boolean() }),
});

test("every page of a sorted list agrees with the evaluator", async () => {
  await fc.assert(
    fc.asyncProperty(page, async ({ pagination, ...asked }) => {
      const { start, limit, withCount } = pagination;
      const raw = `${queryString({ ...asked, pagination }).join("&")}&fields=title`;
      const read = await readMany(world.context(), article, parseQuery(raw));
      const expected = evaluate(data, asked);
      expect(itemsOf(read.documents)).toEqual(expected.slice(start, start + limit));
      expect(read.pagination.total).toBe(withCount ? expected.length : undefined);
    }),
    { numRuns: RUNS.queries },
  );
});

/** Conditions that a missing author meets, and that are unknown of authors without a name, or an age. */
const ofNobody = [
  { $or: [{ name: { $null: true } }, { age: { $gt: 9 } }] },
  { $or: [{ age: { $null: true } }, { name: { $eq: "z" } }] },
  { $or: [{ boss: { name: { $null: true } } }, { age: { $gt: 9 } }] },
];

test.each(ofNobody)("a relation without a target is a row of nulls: %j", async (author) => {
  for (const filters of [{ author }, { $not: { author } }]) {
    const asked = { filters, sort: [], populate: {}, status: "draft", locale: "*" };
    const raw = `${queryString(asked).join("&")}&fields=title&pagination[pageSize]=100`;
    const { documents } = await readMany(world.context(), article, parseQuery(raw));
    expect(itemsOf(documents)).toEqual(evaluate(data, asked));
  }
});
