/**
 * Lists that are read with cursors: page by page they give what the whole list gives, in any order, whatever is written
 * meanwhile.
 */
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { type ReadContext, readMany } from "../../../runtime/query/index.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { databasesInTurn, freshDatabase, recording } from "../../support/database.ts";
import { isThorough } from "../../support/thorough.ts";
import { article } from "./content.ts";
import { randomData, store } from "./random-data.ts";
import { articles, insert } from "./tables.ts";
import { createWorld, worldOver } from "./world.ts";

const inTurn = databasesInTurn();
const at = "2020-01-01 00:00:00";
const FIRST = 1000;
const LONG = "z".repeat(3000);

const nullable = <Value>(...values: readonly Value[]) => fc.constantFrom(...values, null);

/** Values with ties, nulls, and those at which comparisons go wrong. */
const values = fc.record({
  title: nullable("a", "B", "b", "é", "É", "😀", "", " a", "a\u0001", `'"\\`, "ﬀ", "Z".repeat(255)),
  body: nullable("short", LONG, `${LONG}z`, "é".repeat(2000)),
  rating: nullable(-5, 0, 1, 2_147_483_647),
  views: nullable("-9223372036854775808", "9007199254740993", "9007199254740992", "0"),
  price: nullable("0.10", "0.1", "12345678.99", "-1.00"),
  score: nullable(0.1, 0.1 + 0.2, 0.3, -0, 0, 1e300, 5e-324),
  featured: nullable(true, false),
  day: nullable("0001-01-01", "2020-02-29", "9999-12-31"),
  clock: nullable("00:00:00", "23:59:59.999", "12:00:00.5"),
  moment: nullable("2020-01-01 00:00:00.001", "2020-01-01 00:00:00.002", "1969-12-31 23:59:59.999"),
  extra: nullable('{"a":1}', '[1,"x"]', '"text"', "5"),
  createdAt: fc.constantFrom("2020-01-01 00:00:00.001", "2020-01-01 00:00:00.002"),
});

const rows = fc.sample(values, { numRuns: 60, seed: 20_261 }).map((row, index) => ({
  ...row,
  id: FIRST + index,
  documentId: `walk${index}`,
  locale: index % 7 === 0 ? "fr" : "en",
  updatedAt: at,
  publishedAt: index % 9 === 0 ? null : at,
}));

const fill = async (database: Database): Promise<void> => {
  await store(database, randomData());
  await insert(
    database,
    documents,
    rows.map(({ documentId }) => ({ documentId, type: article.uid })),
  );
  await insert(database, articles, rows);
};

const contexts = new Map<string, ReadContext>();

beforeAll(async () => {
  for (const kind of ["pglite", "postgres"] as const) {
    const world = await createWorld(await freshDatabase(kind));
    await fill(world.database);
    contexts.set(kind, world.context());
  }
});

const contextOn = (kind: string): ReadContext => {
  const context = contexts.get(kind);
  if (context === undefined) throw new Error(`no content on ${kind}`);
  return context;
};

interface Listing {
  readonly sort: readonly string[];
  readonly status: string;
  readonly locale: string;
  readonly filters?: object;
}

const idsOf = (rows: readonly (readonly unknown[])[]): number[] => rows.map(([id]) => Number(id));

const page = async (context: ReadContext, query: Listing, pagination: object) => {
  const { documents: found, pagination: facts } = await readMany(context, article, {
    ...query,
    fields: ["title"],
    pagination,
  });
  return { ids: idsOf(found.rows), facts };
};

/** The ids of the whole list, page by page. `between` runs after each page. */
const walk = async (
  context: ReadContext,
  query: Listing,
  size: object,
  between: (shown: readonly number[]) => Promise<void> = async () => {},
): Promise<number[]> => {
  const ids: number[] = [];
  let after: string | null | undefined = "";
  while (typeof after === "string") {
    const { ids: more, facts } = await page(context, query, { ...size, after });
    ids.push(...more);
    expect(facts).toEqual({ ...size, after: facts.after });
    ({ after } = facts);
    await between(more);
  }
  expect(after).toBeNull();
  return ids;
};

const whole = async (context: ReadContext, query: Listing): Promise<number[]> =>
  (await page(context, query, { pageSize: "100", withCount: "false" })).ids;

const SORTS = [
  "title",
  "body",
  "rating",
  "views",
  "price",
  "score",
  "featured",
  "day",
  "clock",
  "moment",
  "extra",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "documentId",
  "locale",
  "id",
  "author.name",
  "author.boss.age",
  "categories.name",
  "seo.title",
  "links.amount",
  "related.rating",
];

const SHORT = SORTS.filter((name) => name !== "body");

const orderOf = (names: readonly string[]) =>
  fc.array(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom("asc", "desc")).map(([name, order]) => `${name}:${order}`),
    { maxLength: 4 },
  );

const parts = { status: fc.constantFrom("published", "draft"), locale: fc.constantFrom("en", "fr", "*") };

const listing = fc.record({
  ...parts,
  sort: orderOf(SORTS),
  filters: fc.constantFrom({}, { title: { $ne: "a" } }, { author: { name: { $notNull: "true" } } }),
});

const runs = isThorough ? 600 : 30;

test.each(inTurn())("pages give the whole list, in any order, on %s", async (kind) => {
  const context = contextOn(kind);
  let pages = 0;
  await fc.assert(
    fc.asyncProperty(listing, fc.integer({ min: 1, max: 9 }), async (query, limit) => {
      const expected = await whole(context, query);
      const size = limit % 2 ? { limit } : { pageSize: limit };
      expect(await walk(context, query, size)).toEqual(expected);
      pages += expected.length / limit;
    }),
    { numRuns: runs },
  );
  // Agreeing on single pages would prove nothing.
  expect(pages).toBeGreaterThan(runs);
});

test.each(inTurn())("every attribute sorts in both directions, and in both at once, on %s", async (kind) => {
  const context = contextOn(kind);
  // In both at once, lists are sorted by their smallest and then by their largest value.
  for (const name of SORTS) {
    for (const sort of [[`${name}:asc`], [`${name}:desc`], [`${name}:asc`, `${name}:desc`]]) {
      const query = { sort, status: "published", locale: "*" };
      expect({ sort, ids: await walk(context, query, { limit: 11 }) }).toEqual({
        sort,
        ids: await whole(context, query),
      });
    }
  }
});

const guest = { body: null, locale: "en", updatedAt: at, publishedAt: at };

const change = fc.record({ kind: fc.constantFrom("insert", "delete", "move"), which: fc.nat(), row: values });

test.each(inTurn())("what stays is shown once, whatever else is written meanwhile, on %s", async (kind) => {
  const context = contextOn(kind);
  const { database } = context.services;
  let id = 100_000;
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...parts, sort: orderOf(SHORT), filters: fc.constant({}) }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(change, { minLength: 10, maxLength: 20 }),
      async (query, limit, changes) => {
        const stays = await whole(context, query);
        const guests: number[] = [];
        const moved = new Set<number>();
        const add = async (row: object): Promise<void> => {
          id += 1;
          const documentId = `guest${id}`;
          await insert(database, documents, [{ documentId, type: article.uid }]);
          await insert(database, articles, [{ ...row, ...guest, id, documentId }]);
          guests.push(id);
        };
        for (const { row } of changes) await add(row);
        const left = [...changes];
        const write = async (shown: readonly number[]): Promise<void> => {
          const next = left.pop();
          if (next === undefined) return;
          written += 1;
          // The entry at which a cursor ends is the most interesting one to lose.
          const target = guests.findLast((guest) => guest === shown.at(-1)) ?? guests[next.which % guests.length];
          if (next.kind === "insert") return add(next.row);
          if (next.kind === "delete") {
            await database.rows(`delete from articles where id = ${target}`);
            return;
          }
          moved.add(target ?? 0);
          const { title, rating, score } = next.row;
          await database.rows(`update articles set title = $1, rating = $2, score = $3 where id = ${target}`, [
            title,
            rating,
            score,
          ]);
        };
        const shown = await walk(context, query, { limit }, write);
        await database.rows("delete from articles where id > 100000");
        const staying = new Set(stays);
        expect(shown.filter((each) => staying.has(each))).toEqual(stays);
        const once = shown.filter((each) => !moved.has(each));
        expect(new Set(once).size).toBe(once.length);
      },
    ),
    { numRuns: isThorough ? 200 : 20 },
  );
  expect(written).toBeGreaterThan(50);
});

test.each(inTurn())("an entry whose value is too long for a cursor must not change, on %s", async (kind) => {
  const context = contextOn(kind);
  const { database } = context.services;
  const query = { sort: ["body:desc"], status: "published", locale: "*", filters: { body: { $startsWith: "z" } } };
  const { ids, facts } = await page(context, query, { limit: 1, after: "" });
  expect(facts.after?.length).toBeLessThan(200);
  const [first, ...others] = await whole(context, query);
  expect(ids).toEqual([first]);
  const next = () => page(context, query, { limit: 100, after: facts.after });
  expect((await next()).ids).toEqual(others);
  await database.rows(`update articles set body = body || 'x' where id = ${first}`);
  await expect(next()).rejects.toThrow("has been changed or deleted");
  await database.rows(`update articles set body = left(body, -1) where id = ${first}`);
  expect((await next()).ids).toEqual(others);
});

test.each(inTurn())("a page is one statement, and does not skip rows, on %s", async (kind) => {
  const recorded = recording(contextOn(kind).services.database);
  const context = worldOver(recorded.database).context();
  const count = async (query: Listing, pagination: object): Promise<number> => {
    recorded.statements.length = 0;
    await page(context, query, pagination);
    return recorded.statements.filter((statement) => !/^(explain|analyze)/.test(statement)).length;
  };
  for (const name of SHORT) {
    const query = { sort: [`${name}:desc`, "title"], status: "published", locale: "*", filters: { title: "a" } };
    expect(await count(query, { after: "" })).toBe(1);
    const { facts } = await page(context, query, { limit: 2, after: "" });
    expect(await count(query, { after: facts.after })).toBe(1);
    expect(recorded.statements.join()).not.toContain("offset");
    expect(await count(query, { after: facts.after, withCount: "true" })).toBe(2);
  }
});
