/** `cms doctor` reads the texts of statements: they have to be those that lists really run. */
import { expect, test } from "vitest";
import { usesIn } from "../../generator/doctor/indexes/uses.ts";
import { system } from "../../runtime/access/caller.ts";
import { configSchema } from "../../runtime/config/config.ts";
import { createQueries, parseQuery } from "../../runtime/query/index.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import { application, article } from "../runtime/query/content.ts";

const queries = createQueries(
  createRegistry(application),
  configSchema.parse({ locales: { codes: ["en", "fr"] } }),
  "secret",
);

const plan = (query: string) =>
  queries.prepare(system, article, parseQuery(query), { single: false, code: false }).plan;

const byRating = { table: "articles", column: "rating", kind: "sort", descending: true };
const byName = { table: "authors", column: "name", kind: "sort" };
const ofTitle = { table: "articles", column: "title", kind: "compare", descending: false };

test("pages of every kind show what they are sorted by", () => {
  expect(usesIn(plan("sort=rating:desc").page.text)).toEqual([byRating]);
  expect(usesIn(plan("sort=author.name").page.text)).toEqual([{ ...byName, descending: false }]);
  expect(usesIn(plan("sort=author.name:desc").page.text)).toEqual([{ ...byName, descending: true }]);
  expect(usesIn(plan("sort=author.name,rating:desc").page.text)).toContainEqual({ ...byName, descending: false });
});

test("pages and totals show what they are filtered by", () => {
  const { page, total } = plan("filters[title]=x");
  for (const { text } of [page, total]) expect(usesIn(text)).toEqual([ofTitle]);
});

test("pages that are filtered by relations show what they are filtered and sorted by", () => {
  for (const filter of [
    "filters[author][name]=x",
    "filters[$or][0][author][name]=x&filters[$or][1][categories][name]=y",
  ]) {
    const uses = usesIn(plan(`${filter}&sort=rating:desc`).page.text);
    expect(uses).toContainEqual(byRating);
    expect(uses).toContainEqual({ ...byName, kind: "compare", descending: false });
    expect(uses.some(({ table }) => table === "categories")).toBe(filter.includes("categories"));
  }
});
