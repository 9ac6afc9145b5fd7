import { beforeAll, expect, test } from "vitest";
import { HttpError } from "../../../runtime/base/errors.ts";
import { parseQuery, readMany } from "../../../runtime/query/index.ts";
import { freshDatabase } from "../../support/database.ts";
import { article } from "../query/content.ts";
import { seed } from "../query/seed.ts";
import { articles, insert } from "../query/tables.ts";
import { createWorld, type World } from "../query/world.ts";

let world: World;

const at = "2020-01-02 03:04:05.006";
const version = { createdAt: at, updatedAt: at, publishedAt: at, locale: "de" };
const quote = (id: number, text: string) => ({ __component: "blocks.quote", id, text, by: "hidden" });

beforeAll(async () => {
  world = await createWorld(await freshDatabase("postgres"));
  await seed(world.database);
  const hero = { __component: "blocks.hero", id: 51, heading: "Tea", links: [{ id: 52, label: "go", owner: "ann" }] };
  const stale = { __component: "blocks.gone", id: 53, text: "50% of (a|b).* 🎉 שלום" };
  await insert(world.database, articles, [
    { ...version, id: 50, documentId: "a1", title: "both", sections: [quote(54, "50% of (a|b).* 🎉 שלום"), hero] },
    { ...version, id: 51, documentId: "a2", title: "quotes", sections: [quote(55, "one"), quote(56, "TWO")] },
    { ...version, id: 52, documentId: "a3", title: "none", sections: [stale] },
  ]);
});

const titles = async (filters: string) => {
  const found = await world.many(article, `locale=de&fields=title&${encodeURI(filters)}`);
  return found.map(({ title }) => title).join();
};

test.each([
  ["filters[sections][__component]=blocks.hero", "both"],
  ["filters[sections][__component][$ne]=blocks.hero", "both,quotes"],
  [
    "filters[sections][__component][$in][]=blocks.hero&filters[sections][__component][$in][]=blocks.quote",
    "both,quotes",
  ],
  ["filters[sections][__component][$notIn][]=blocks.hero&filters[sections][__component][$notIn][]=blocks.quote", ""],
  ["filters[sections][__component][$null]=true", "none"],
  ["filters[sections][__component][$notNull]=true", "both,quotes"],
  ["filters[$not][sections][__component]=blocks.hero", "quotes,none"],
  ["filters[sections][$not][__component]=blocks.hero", "quotes,none"],
  ["filters[sections][blocks.quote][text][$containsi]=two", "quotes"],
  ["filters[sections][blocks.quote][text][$contains]=50% of (a|b).* 🎉 שלום", "both"],
  ["filters[sections][blocks.quote][text]=one&filters[sections][blocks.quote][id]=56", ""],
  ["filters[$and][0][sections][blocks.quote][text]=one&filters[$and][1][sections][blocks.quote][id]=56", "quotes"],
  [
    "filters[sections][$or][0][__component]=blocks.hero&filters[sections][$or][1][blocks.quote][text]=one",
    "both,quotes",
  ],
  ["filters[sections][blocks.quote][text]=50%&filters[sections][blocks.hero][heading]=Tea", ""],
  ["filters[sections][blocks.quote][text][$startsWith]=50&filters[sections][blocks.hero][heading]=Tea", "both"],
  ["filters[sections][blocks.hero][links][owner][name]=Ann", "both"],
  ["filters[sections][blocks.hero][image][$null]=true", "both"],
  ["filters[sections][blocks.quote][$not][text]=one", "both,quotes"],
])("%s finds %s", async (filters, expected) => {
  expect(await titles(filters)).toBe(expected);
});

const refusal = async (filters: string) => {
  try {
    await readMany(world.context(), article, parseQuery(filters));
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, message: error.message };
  }
};

test.each([
  ["filters[sections]=blocks.quote", "Invalid key sections"],
  ["filters[sections][text]=one", "Invalid key text at sections"],
  ["filters[sections][shared.link][label]=one", "Invalid key shared.link at sections"],
  ["filters[sections][__component]=shared.link", "Invalid key shared.link at sections"],
  ["filters[sections][__component][$contains]=quote", "Invalid key $contains at sections"],
  ["filters[sections][__component][$in][a][b]=quote", "Invalid key __component at sections"],
  ["filters[sections][$null]=true", "Invalid key $null at sections"],
  ["filters[sections][$and][text]=true", "Invalid key $and at sections"],
  ["filters[sections][blocks.quote][by]=hidden", "Invalid key by at sections.blocks.quote.by"],
  ["filters[sections][blocks.quote][nope]=hidden", "Invalid key nope at sections.blocks.quote"],
  ["filters[sections][blocks.hero][links][url]=/a", "Invalid key url at sections.blocks.hero.links.url"],
  ["filters[sections][blocks.hero][links][safe][name]=gold", "Invalid key safe at sections.blocks.hero.links.safe"],
  ["filters[sections][blocks.quote'--][text]=x", "Invalid key blocks.quote'-- at sections"],
])("%s is refused", async (filters, message) => {
  expect(await refusal(filters)).toEqual({ status: 400, message });
});

const query = (length: number): string =>
  Array.from({ length }, (_, index) => `filters[$or][${index}][sections][blocks.quote][text]=a`).join("&");

test("filters in zones are counted like to-many relations", async () => {
  expect(await refusal(query(30))).toBeUndefined();
  expect(await refusal(query(31))).toMatchObject({
    status: 400,
    message: expect.stringContaining("limits.filterSteps"),
  });
});
