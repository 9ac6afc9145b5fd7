import { expect, test } from "vitest";
import { warm } from "../../runtime/app/warm.ts";
import { configSchema } from "../../runtime/config/config.ts";
import { createQueries, type Queries } from "../../runtime/query/index.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import { application, article } from "./query/content.ts";

const registry = createRegistry(application);

/** What was worked out, by uid, and whether that could be done. */
const watched = (input: Parameters<typeof configSchema.parse>[0]) => {
  const queries = createQueries(registry, configSchema.parse(input), "a secret");
  const done: { readonly uid: string; readonly failed: boolean }[] = [];
  const prepare: Queries["prepare"] = (...query) => {
    const { uid } = query[1];
    try {
      const prepared = queries.prepare(...query);
      done.push({ uid, failed: false });
      return prepared;
    } catch (error) {
      done.push({ uid, failed: true });
      throw error;
    }
  };
  return { done, queries: { ...queries, prepare } };
};

test("a server that has started works out queries of the largest content types before anybody asks", async () => {
  const { done, queries } = watched({});
  await warm({ registry, queries });
  expect(done).toContainEqual({ uid: article.uid, failed: false });
  expect(done.filter(({ failed }) => failed)).toEqual([]);
});

test("a server starts whatever its configuration refuses", async () => {
  const { done, queries } = watched({ limits: { populateSteps: 0 } });
  await expect(warm({ registry, queries })).resolves.toBeUndefined();
  expect(done.some(({ failed }) => failed)).toBe(true);
});
