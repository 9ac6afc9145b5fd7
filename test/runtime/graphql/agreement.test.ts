import type { Plugin } from "@envelop/types";
/** REST and both formats of GraphQL answer random questions over random data with the same documents and values. */
import * as fc from "fast-check";
import { execute } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { RUNS } from "../../support/thorough.ts";
import { randomData, store } from "../query/random-data.ts";
import { createTables } from "../query/tables.ts";
import { askable, type Format, graphqlQuestion, question, restPath } from "./random-selections.ts";
import { type GraphqlServer, serve } from "./world.ts";

/** Takes every question through the executor of graphql-js, whatever could be answered without. */
const byTheBook: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };

/** Questions are sorted by several relations. */
const LIMITS = { sortSteps: 12 };

interface Servers {
  readonly own: GraphqlServer;
  readonly byTheBook: GraphqlServer;
}

let servers: Readonly<Record<Format, Servers>>;

beforeAll(async () => {
  const database = await freshDatabase("postgres");
  await createTables(database);
  await store(database, randomData());
  const both = async (format: Format): Promise<Servers> => ({
    own: await serve({ database, graphql: { format }, limits: LIMITS }),
    byTheBook: await serve({ database, graphql: { format, server: { plugins: [byTheBook] } }, limits: LIMITS }),
  });
  servers = { flat: await both("flat"), entity: await both("entity") };
});

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** REST tells numeric ids too: of documents, which GraphQL does not, and of components, where GraphQL has text. */
const fromRest = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromRest);
  if (typeof value !== "object" || value === null) return value;
  const { id, ...rest } = members(value);
  const own = "documentId" in value || id === undefined ? {} : { id: String(id) };
  return { ...own, ...Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, fromRest(member)])) };
};

/** Takes the wrappers of the entity format away. */
const fromEntities = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromEntities);
  if (typeof value !== "object" || value === null) return value;
  if ("attributes" in value) return fromEntities({ documentId: members(value)["id"], ...members(value.attributes) });
  if ("data" in value) return fromEntities(value.data);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromEntities(member)]));
};

interface Page {
  readonly rows: unknown;
  readonly facts: unknown;
}

const pageOf = (format: Format, body: unknown): Page => {
  const { articles, articles_connection: connection } = members(members(body)["data"]);
  const { data, meta } = members(articles);
  const { nodes, pageInfo } = members(connection);
  return format === "entity"
    ? { rows: fromEntities(data), facts: members(meta)["pagination"] }
    : { rows: nodes, facts: pageInfo };
};

test("random questions have one answer, however they are asked", { timeout: 300_000 }, async () => {
  let found = 0;
  const asked = fc.asyncProperty(question, async (drawn) => {
    const put = askable(drawn);
    const { own, byTheBook: slow } = servers[put.format];
    const { text, variables } = graphqlQuestion(put);
    const [rest, graphql, full] = [
      await own.rest(restPath(put)),
      await own.query(text, variables),
      await slow.query(text, variables),
    ];
    const { data, meta } = members(rest.body);
    const { rows, facts } = pageOf(put.format, graphql.body);
    expect(graphql.body).not.toHaveProperty("errors");
    expect(rows).toEqual(fromRest(data));
    const pagination = members(members(meta)["pagination"]);
    // REST tells of offsets where it was asked by them; GraphQL counts in pages.
    expect(facts).toMatchObject("page" in put.pagination ? pagination : { total: pagination["total"] });
    expect(graphql.text).toBe(full.text);
    found += Array.isArray(data) ? data.length : 0;
  });
  await fc.assert(asked, { numRuns: RUNS.agreement });
  // Agreeing on nothing would prove nothing.
  expect(found).toBeGreaterThan(20);
});
