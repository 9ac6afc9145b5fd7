/** What is remembered of operations takes no more memory than it may, whatever strangers send. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { createTables } from "../query/tables.ts";
import { type GraphqlServer, serve } from "./world.ts";

let server: GraphqlServer;
beforeAll(async () => {
  const database = await freshDatabase("pglite");
  await createTables(database);
  server = await serve({ database });
});

const MB = 1_000_000;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
const heap = (): number => {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
};

/** How much more memory is in use after the requests than after the first of them. */
const growth = async (requests: number, ask: (number: number) => Promise<unknown>): Promise<number> => {
  await ask(0);
  const before = heap();
  for (let number = 1; number < requests; number += 1) await ask(number);
  return heap() - before;
};

const long = {
  "valid operations": (number: number) =>
    `{ articles(filters: { title: { in: [${`"${number}" `.repeat(9000)}] } }) { data { id } } }`,
  "invalid operations": (number: number) => `{ q${number}: articles { data { ${"no ".repeat(9000)} } } }`,
  "errors of syntax": (number: number) => `{ q${number} #${"x".repeat(900_000)}`,
};

// Unlimited, they would take 60, 100 and 22 MB.
test.each(Object.entries(long))("texts of 9,000 tokens or 900 kB: %s", async (_what, text) => {
  expect(await growth(25, (number) => server.query(text(number)))).toBeLessThan(18 * MB);
});

test("operations of many fields, with many values of their variables", async () => {
  const objects = Array.from({ length: 190 }, (_, index) => `a${index}: attributes { ...Some }`).join(" ");
  const text = `query ($title: String) { articles(filters: { title: { eq: $title } }) { data { ${objects} } } }
    fragment Some on Article { title createdAt updatedAt publishedAt locale }`;
  expect((await server.query(text, { title: "none" })).body).toEqual({ data: { articles: { data: [] } } });
  // Unlimited, they would take 30 MB.
  expect(await growth(100, (number) => server.query(text, { title: `none ${number}` }))).toBeLessThan(18 * MB);
});
