/** What is remembered of operations takes no more memory than it may, whatever strangers send. */
import { expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { leastGrowth } from "../../support/heap.ts";
import { createTables } from "../query/tables.ts";
import { serve } from "./world.ts";

const database = await freshDatabase("postgres");
await createTables(database);

const MB = 1_000_000;

/** What a server keeps after so many operations. */
const growth = (count: number, ask: (number: number) => readonly [text: string, variables?: object]): Promise<number> =>
  leastGrowth(
    count,
    async () => {
      const { send } = await serve({ database });
      return async (number) => {
        const [query, variables] = ask(number);
        return send({ query, variables });
      };
    },
    18 * MB,
  );

const long = {
  "valid operations": (number: number) =>
    `{ articles(filters: { title: { in: [${`"${number}" `.repeat(9000)}] } }) { data { id } } }`,
  "invalid operations": (number: number) => `{ q${number}: articles { data { ${"no ".repeat(9000)} } } }`,
  "errors of syntax": (number: number) => `{ q${number} #${"x".repeat(900_000)}`,
};

// Unlimited, they would take 60, 100 and 22 MB.
test.each(Object.entries(long))("texts of 9,000 tokens or 900 kB: %s", async (_what, text) => {
  expect(await growth(25, (number) => [text(number)])).toBeLessThan(18 * MB);
});

test("operations of many fields, with many values of their variables", async () => {
  const objects = Array.from({ length: 190 }, (_, index) => `a${index}: attributes { ...Some }`).join(" ");
  const text = `query ($title: String) { articles(filters: { title: { eq: $title } }) { data { ${objects} } } }
    fragment Some on Article { title createdAt updatedAt publishedAt locale }`;
  const { query } = await serve({ database });
  expect((await query(text, { title: "none" })).body).toEqual({ data: { articles: { data: [] } } });
  // Unlimited, they would take 30 MB.
  expect(await growth(100, (number) => [text, { title: `none ${number}` }])).toBeLessThan(18 * MB);
});
