/** Lists that count the same rows share one kept total, whatever else they ask for. */
import { expect, onTestFinished, test } from "vitest";
import { parseQuery, readMany } from "../../../runtime/query/index.ts";
import { Totals } from "../../../runtime/query/totals.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { article } from "../query/content.ts";
import { seed } from "../query/seed.ts";
import { createWorld } from "../query/world.ts";

const others = [
  "",
  "fields=title",
  "sort=rating:desc,author.name",
  "pagination[page]=2&pagination[pageSize]=1",
  "pagination[start]=600",
  "populate=*",
  "populate[categories][filters][name]=Leaf&populate[author][fields]=name",
  "populate[categories][filters][name]=Root&populate[related][populate][categories][filters][name]=Leaf",
];

const filters = [
  "",
  "locale=fr",
  "status=draft",
  "locale=*",
  "filters[rating]=5",
  "filters[rating]=4",
  "filters[author][name]=Ann",
  "filters[author][name]=Bob",
  "filters[categories][name]=Leaf&filters[author][name]=Ann",
  "_q=first",
  "_q=sec",
];

test("pages, sorts, fields and populates share the total of a list, and other filters have their own", async () => {
  const { database, statements } = recording(await freshDatabase("pglite", onTestFinished));
  const world = await createWorld(database);
  await seed(database);
  const plain = world.context();
  const totals = new Totals(async () => 1);
  const keeping = { ...plain, services: { ...plain.services, totals } };
  for (const filter of filters) {
    const expected = await world.total(article, filter);
    statements.length = 0;
    for (const other of [others[0], ...others]) {
      const { pagination } = await readMany(keeping, article, parseQuery(`${filter}&${other}`));
      expect(pagination.total, `${filter}&${other}`).toBe(expected);
    }
    // The total of a list that is asked for the first time is not kept. Some pages count other rows, as no integers.
    expect(
      statements.filter((text) => text.includes("count(*)::int")),
      filter,
    ).toHaveLength(2);
  }
});
