/** What a sort or a filter through many documents may cost, by the estimate of PostgreSQL. */
import { beforeAll, expect, test } from "vitest";
import example from "../../../generated/index.ts";
import { type Caller, system } from "../../../runtime/access/caller.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { createQueries, parseQuery, readMany } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { bothDatabases, freshDatabase, recording } from "../../support/database.ts";

const registry = createRegistry(example);
const reader: Caller = { kind: "token", can: () => true };
const times = "'2021-01-01', '2021-01-01', now()";

/** 1,500 articles with 20 of 100 tags each. */
const fill = (database: Database): Promise<void> =>
  database.script(`
    insert into documents (document_id, type) select 'd' || n, 'api::article.article' from generate_series(1, 1500) n;
    insert into documents (document_id, type) select 'c' || n, 'api::tag.tag' from generate_series(1, 100) n;
    insert into tags (document_id, name, slug, created_at, updated_at, published_at)
    select 'c' || n, 'Tag ' || n, 'tag-' || n, ${times} from generate_series(1, 100) n;
    insert into articles (document_id, locale, title, slug, created_at, updated_at, published_at)
    select 'd' || n, 'en', 'Article ' || n, 's-' || n, ${times} from generate_series(1, 1500) n;
    insert into articles_tags (version_id, document_id, position, inverse_position)
    select a.id, 'c' || (1 + (a.id * 31 + k * 7) % 100), k, a.id from articles a, generate_series(1, 20) k;`);

const databases = new Map<string, Database>();

beforeAll(async () => {
  for (const kind of bothDatabases) {
    const database = await freshDatabase(kind);
    await migrate(database, "generated/migrations");
    await fill(database);
    if (kind === "postgres") await database.script("analyze");
    databases.set(kind, database);
  }
});

const ask = async (kind: string, query: string, limits: ConfigInput["limits"] = {}, caller: Caller = reader) => {
  const database = databases.get(kind);
  if (database === undefined) throw new Error(`No ${kind}`);
  const { database: recorded, statements } = recording(database);
  const config = configSchema.parse({ locales: { default: "en", codes: ["en"] }, limits });
  const services = { config, database: recorded, queries: createQueries(registry, config, "a secret") };
  const context = { services, caller, code: caller === system, trusted: caller === system };
  const read = readMany(context, registry.contentType("api::article.article"), parseQuery(query));
  const result = await read.then(
    ({ pagination }) => pagination.total,
    (error: unknown) => error,
  );
  const estimates = statements.filter((statement) => statement.startsWith("explain"));
  return { result, statements, estimates };
};

test.each(bothDatabases)("one list of related documents can be sorted by, on %s", async (kind) => {
  const { result, estimates } = await ask(kind, "sort=tags.name");
  expect(result).toBe(1500);
  expect(estimates).toHaveLength(1);
});

const refused = (param: string, path: string, limit: string) =>
  expect.objectContaining({
    status: 400,
    details: { key: path.split(".").at(-1), path, source: "query", param },
    message: expect.stringContaining(`(limits.${limit})`),
  });

test.each(bothDatabases)("what leads through more of them is refused before anything is read, on %s", async (kind) => {
  const { result, statements } = await ask(kind, "sort[0]=tags.articles.title&sort[1]=tags.articles.slug");
  expect(result).toEqual(refused("sort", "tags", "sortSteps"));
  expect(statements).toEqual([]);
});

test.each(bothDatabases)("so is what PostgreSQL expects to cost too much, on %s", async (kind) => {
  const costly = await ask(kind, "sort=tags.articles.title");
  expect(costly.result).toEqual(refused("sort", "tags.articles", "queryCost"));
  expect(costly.statements.filter((statement) => !/^(explain|analyze|select count)/.test(statement))).toEqual([]);
  const filters = "filters[$or][0][tags][articles][title]=x&filters[$or][1][tags][articles][slug]=y";
  expect((await ask(kind, filters, { queryCost: 100 })).result).toEqual(
    refused("filters", "tags.articles", "queryCost"),
  );
  expect((await ask(kind, filters, { queryCost: 100_000_000 })).result).toBe(0);
  const populate = "populate[tags][sort]=articles.title&pagination[pageSize]=100";
  expect((await ask(kind, populate, { queryCost: 1000 })).result).toEqual(refused("populate", "articles", "queryCost"));
});

test.each(bothDatabases)("a search that is cheap only if it stops early counts as a whole, on %s", async (kind) => {
  const path = "filters[tags][articles][tags][name][$containsi]=nothing";
  const { result } = await ask(kind, path, { queryCost: 20_000 });
  expect(result).toEqual(refused("filters", "tags.articles.tags", "queryCost"));
});

test("nothing is estimated for other lists, nor for code", async () => {
  for (const query of [
    "sort=author.name",
    "filters[tags][slug]=tag-1",
    "filters[author][articles][title]=x&populate=tags",
  ])
    expect((await ask("postgres", query)).estimates).toEqual([]);
  expect((await ask("postgres", "sort=tags.name", { queryCost: 1 }, system)).estimates).toEqual([]);
});
