import * as fc from "fast-check";
import { expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { RUNS } from "../../support/thorough.ts";
import { operation, preparation } from "./operations.ts";
import { Run } from "./run.ts";
import { createWorld } from "./world.ts";

const world = await createWorld(await freshDatabase("postgres"));

const counts = async (): Promise<unknown> => {
  const tables = ["documents", "posts", "topics", "posts_topics"];
  const [row] = await world.services.database.rows(
    `select ${tables.map((table) => `(select count(*)::int from ${table})`).join(", ")}`,
  );
  return row;
};

test("every sequence of operations reads as a simple model of it says, and leaves nothing behind", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25, size: "max" }), async (steps) => {
      const run = new Run(world);
      try {
        for (const step of preparation) await run.apply(step);
        for (const step of steps) {
          await run.apply(step);
          await run.compare();
        }
      } finally {
        await run.removeAll();
      }
      expect(await counts()).toEqual([0, 0, 0, 0]);
    }),
    { numRuns: RUNS.sequences, endOnFailure: false },
  );
});
