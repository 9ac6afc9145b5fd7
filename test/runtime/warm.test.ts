import { expect, onTestFinished, test } from "vitest";
import { warm } from "../../runtime/app/warm.ts";
import { configSchema } from "../../runtime/config/config.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { createQueries, type Queries } from "../../runtime/query/index.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { SOON } from "../support/soon.ts";
import { application, article } from "./query/content.ts";

const registry = createRegistry(application);

/** There is nothing to open. */
const embedded = { kind: "pglite", rows: async () => [] } as const;

const gone = { kind: "postgres", rows: () => Promise.reject(new Error("gone")) } as const;

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
  await warm({ registry, queries, database: embedded });
  expect(done).toContainEqual({ uid: article.uid, failed: false });
  expect(done.filter(({ failed }) => failed)).toEqual([]);
});

test("a server starts whatever its configuration refuses", async () => {
  const { done, queries } = watched({ limits: { populateSteps: 0 } });
  await expect(warm({ registry, queries, database: embedded })).resolves.toBeUndefined();
  expect(done.some(({ failed }) => failed)).toBe(true);
});

test("a server that has started opens the connections that a request needs before anybody asks", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [other, database] = [await openPostgres(url, 1), await openPostgres(url, 8)];
  onTestFinished(async () => void (await Promise.all([other.close(), database.close()])));
  const count = async () => {
    const rows = await other.rows(
      "select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return rows[0]?.[0];
  };
  await expect.poll(count, SOON).toBe(1);
  await warm({ registry, queries: watched({}).queries, database });
  // Three for what is sent at once, and one that asks for the state of the database.
  await expect.poll(count, SOON).toBeGreaterThanOrEqual(4);
});

test("a server starts although the database cannot be asked", async () => {
  const { done, queries } = watched({});
  await expect(warm({ registry, queries, database: gone })).resolves.toBeUndefined();
  expect(done).toContainEqual({ uid: article.uid, failed: false });
});
