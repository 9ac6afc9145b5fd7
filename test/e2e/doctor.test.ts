/** `cms doctor`: what it finds in a database, and that the SQL it prints mends it. */
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { examineActivity } from "../../generator/doctor/health/activity.ts";
import { examineUpkeep } from "../../generator/doctor/health/upkeep.ts";
import { createReading } from "../../generator/doctor/reading.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { type EmbeddedServer, startEmbedded } from "../support/embedded-postgres.ts";
import { poolerTo } from "../support/pooler.ts";
import type { Environment } from "../support/processes.ts";
import { generatedProject, migratedProject } from "../support/project.ts";

/** A server of our own: what it counts and how it is set belongs to these tests. */
let server: EmbeddedServer;
beforeAll(async () => {
  server = await startEmbedded([
    "shared_preload_libraries=pg_stat_statements",
    "max_prepared_transactions=2",
    "autovacuum_naptime=1h",
    "synchronous_commit=off",
  ]);
});
afterAll(() => server.stop());

interface Found {
  readonly problems: readonly { readonly title: string; readonly sql: readonly string[] }[];
  readonly proposals: readonly { readonly title: string; readonly why: string; readonly sql: readonly string[] }[];
  readonly unindexed: readonly { readonly type: string; readonly attributes: readonly { readonly name: string }[] }[];
  readonly notes: readonly string[];
  readonly unread: readonly string[];
}

const doctor = async (root: string, args: readonly string[] = [], env: Environment = {}) => {
  const { code, stdout, stderr } = await cms(root, ["doctor", "--json", ...args], env);
  expect(stderr).toBe("");
  const found: Found = JSON.parse(stdout);
  return { code, found, titles: found.problems.map(({ title }) => title) };
};

let databases = 0;

/** A migrated project on an empty database of the server, and a client of that. */
const project = async () => {
  const name = `doctor_${(databases += 1)}`;
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const root = await generatedProject();
  await writeFile(path.join(root, ".env"), `DATABASE_URL=${url.href}\n`);
  await cmsOutput(root, ["migrate"]);
  const client = postgres(url.href, { max: 1, onnotice: () => {} });
  onTestFinished(() => client.end());
  const run = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await client.unsafe(statement);
  };
  return { root, name, url, client, run };
};

/** More articles than are searched row by row. */
const ARTICLES = [
  `insert into documents (document_id, type)
    select 'a' || lpad(n::text, 23, '0'), 'api::article.article' from generate_series(1, 12000) n`,
  `insert into articles (document_id, title, slug, body, created_at, updated_at, published_at)
    select 'a' || lpad(n::text, 23, '0'), 'Article ' || md5(n::text), 'article-' || n,
      (select string_agg(md5((n * 7 + k)::text), ' ') from generate_series(1, 6) k),
      now() - n * interval '1 minute', now(), now()
    from generate_series(1, 12000) n`,
];

const proposed = ({ proposals }: Found, title: RegExp) => proposals.find((each) => title.test(each.title));
const SEARCH = /^searching/;
const CREATED = /by createdAt$/;

test("a healthy project is told so in one line, on both databases", async () => {
  const [{ root }, embedded] = await Promise.all([project(), migratedProject()]);
  for (const folder of [root, embedded]) {
    expect(await cms(folder, ["doctor"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nothing is wrong \(PostgreSQL \d+\.\d+, \d+ tables\)\n$/),
      stderr: "",
    });
  }
});

test("an index is proposed until there is one, requests use what the printed SQL creates, and what they ask for counts", async () => {
  const { root, client, run } = await project();
  await run(...ARTICLES, "analyze");
  const { code, found } = await doctor(root);
  expect(code).toBe(0);
  expect(found.problems).toEqual([]);
  expect(found.proposals).toHaveLength(1);
  expect(found.unindexed).toMatchObject([{ type: "api::article.article" }]);
  expect(found.unindexed[0]?.attributes.map(({ name }) => name)).toEqual([
    "title",
    "createdAt",
    "updatedAt",
    "publishedAt",
  ]);
  expect(found.notes).toEqual([expect.stringContaining("pg_stat_statements")]);
  const all = (await doctor(root, ["--all"])).found;
  // A text of any length does not fit into a B-tree: writes would be refused.
  expect(all.proposals.flatMap(({ sql }) => sql).join("\n")).not.toContain(` ("body"`);

  const chosen = [proposed(all, SEARCH), proposed(all, CREATED)].flatMap((each) => each?.sql ?? []);
  expect(chosen).toHaveLength(3);
  await run(...chosen, "select pg_stat_reset()");
  const after = await doctor(root, ["--all"]);
  expect(proposed(after.found, SEARCH)).toBeUndefined();
  expect(proposed(after.found, CREATED)).toBeUndefined();
  expect(proposed(after.found, /by title$/)).toBeDefined();
  // Migrations are none the wiser.
  await cmsOutput(root, ["migrate", "status"]);

  await cmsOutput(root, ["permissions", "apply"]);
  const { url } = await serve(root);
  const ask = async (query: string): Promise<void> =>
    expect((await fetch(`${url}/api/articles?${query}`)).status).toBe(200);
  const used = async (): Promise<readonly string[]> => {
    await ask("_q=nowhere");
    await ask("sort=createdAt:desc&pagination[withCount]=false");
    const rows = await client<{ name: string }[]>`
      select indexrelname::text as name from pg_stat_user_indexes
      where idx_scan > 0 and indexrelname in ('articles_search', 'articles_created_at_sort') order by 1`;
    return rows.map(({ name }) => name);
  };
  // What a connection has counted is seen some time later.
  await expect.poll(used).toEqual(["articles_created_at_sort", "articles_search"]);

  // Where statements are counted, only what they ask for is proposed.
  await run("create extension pg_stat_statements", "drop index articles_created_at_sort, articles_search");
  await run("select pg_stat_statements_reset()");
  expect((await doctor(root)).found).toMatchObject({ proposals: [], unindexed: [], notes: [] });
  const page = "pagination[withCount]=false";
  for (const query of ["sort=createdAt:desc,title", "filters[title][$contains]=nowhere", "filters[body]=nothing"])
    await ask(`${query}&${page}`);
  // How long they took is up to the machine; with --all, that is all the same.
  const counted = proposed((await doctor(root, ["--all"])).found, CREATED);
  expect(counted?.why).toMatch(/: asked once, for [\d.,]+ ms\.$/);
  expect(counted?.sql).toEqual([
    'create index concurrently if not exists "articles_created_at_sort" on "articles" ("created_at" desc, "id");',
  ]);
  await run("create index mine on articles (created_at, title)");
  expect(proposed((await doctor(root, ["--all"])).found, CREATED)).toBeUndefined();
  await run("drop index mine", "create index articles_created_at_sort on articles (created_at desc nulls last)");
  expect(proposed((await doctor(root, ["--all"])).found, CREATED)?.sql[0]).toContain('"articles_created_at_sort_2"');
});

test("--write makes a migration of the proposals, which runs and is undone like others", async () => {
  const { root, client, run } = await project();
  await run(...ARTICLES, "analyze");
  const written = await cms(root, ["doctor", "--all", "--write"]);
  const folder = /generated\/migrations\/\d{14}_add_indexes/.exec(written.stderr)?.[0] ?? "";
  expect(await readdir(path.join(root, folder))).toEqual(["down.sql", "up.sql"]);
  expect(await readFile(path.join(root, folder, "up.sql"), "utf8")).toContain(
    '-- outside a transaction:\ndrop index concurrently if exists "articles_search";\ncreate index concurrently "articles_search" on "articles" ',
  );
  // It is pending now, which is wrong until it is applied.
  expect((await doctor(root)).titles).toEqual([expect.stringContaining("not what the migrations")]);
  // A second one would create the same indexes, and undoing it would take them away from the first.
  const again = await cms(root, ["doctor", "--all", "--write"]);
  expect(again.stderr).toContain(`no migration was written: ${path.basename(folder)} first has to be applied`);
  expect((await readdir(path.join(root, folder, ".."))).filter((each) => each.endsWith("_add_indexes"))).toHaveLength(
    1,
  );
  await cmsOutput(root, ["migrate"]);
  expect(
    (await doctor(root, ["--all"])).found.proposals.filter(({ sql }) => sql.join().includes('"articles"')),
  ).toEqual([]);
  await cmsOutput(root, ["migrate", "status"]);
  await cmsOutput(root, ["migrate", "down"]);
  const left = await client`select from pg_indexes where indexname in ('articles_search', 'articles_created_at_sort')`;
  expect(left).toHaveLength(0);
});

test("the embedded database gets proposals that it can use, also beside a server", async () => {
  const root = await migratedProject();
  await serve(root);
  const added = /\S+_fill/.exec(await cmsOutput(root, ["migrate", "new", "fill"]))?.[0] ?? "";
  await writeFile(path.join(root, added, "up.sql"), `${ARTICLES.join(";\n")};\n`);
  await cmsOutput(root, ["migrate"]);
  const { found, titles, code } = await doctor(root);
  expect(code).toBe(1);
  expect(titles).toEqual(["articles has never been analyzed"]);
  expect(found.notes).toEqual([expect.stringContaining("pg_trgm")]);
  expect(found.unindexed).toMatchObject([{ type: "api::article.article" }]);
  await cms(root, ["doctor", "--all", "--write"]);
  await cmsOutput(root, ["migrate"]);
  expect((await doctor(root)).found.unindexed).toEqual([]);
});

test("each unhealthy state is told, with the SQL that mends it", async () => {
  const { root, name, run } = await project();
  await run(
    ...ARTICLES,
    "analyze",
    "alter table articles add constraint short check (length(title) < 500) not valid",
    "create table mine with (autovacuum_enabled = false) as select n, repeat('x', 200) from generate_series(1, 12000) n",
    "select setval('component_ids', 9000000000000000000)",
    `alter database ${name} connection limit 5`,
    "select pg_create_physical_replication_slot('forgotten', true)",
  );
  onTestFinished(() => run("select pg_drop_replication_slot('forgotten')").catch(() => {}));
  await expect(run("create unique index concurrently twice on articles (published_at)")).rejects.toThrow("twice");
  await run(
    "create index broken on articles (title)",
    "update pg_index set indisvalid = false where indexrelid = 'broken'::regclass",
  );
  await mkdir(path.join(root, ".cms"), { recursive: true });
  await chmod(path.join(root, ".cms"), 0o755);
  const { code, found, titles } = await doctor(root, [], { NODE_ENV: "production" });
  expect(code).toBe(1);
  const expected = [
    ".cms is open to other accounts",
    "secrets are missing",
    "index broken of articles is not valid",
    "index twice of articles is not valid",
    "constraint short of articles was never checked",
    "the server allows 5 connections",
    "nobody reads the replication slot forgotten",
    "mine has never been analyzed",
    "component_ids has used 9,000,000,000,000,000,000 of its",
  ];
  expect(titles).toEqual(expected.map((title): unknown => expect.stringContaining(title)));

  // Duplicates have to be removed before an index that allows none.
  await run("drop index twice");
  await run(...found.problems.flatMap(({ sql }) => sql).filter((sql) => !sql.includes('"twice"')));
  await run(`alter database ${name} connection limit -1`, "select setval('component_ids', 1)");
  await chmod(path.join(root, ".cms"), 0o700);
  expect((await doctor(root)).titles).toEqual([]);
});

test("a role that only reads is told what it could not read, and pending migrations are told to all", async () => {
  const { root, url, run } = await project();
  await run(
    "create role visitor login password 'visitor' connection limit 50",
    "alter role visitor set default_transaction_read_only = on",
    "grant select on galley_migrations to visitor",
  );
  url.username = url.password = "visitor";
  await writeFile(path.join(root, ".env"), `DATABASE_URL=${url.href}\n`);
  const { code, found } = await doctor(root);
  expect({ code, problems: found.problems }).toEqual({ code: 0, problems: [] });
  expect(found.unread).toContainEqual(expect.stringContaining("pg_read_all_stats"));
  expect(found.unread).toContainEqual(expect.stringContaining("sequences"));

  await cmsOutput(root, ["migrate", "new", "more"]);
  const pending = await cms(root, ["doctor"]);
  expect(pending.code).toBe(1);
  expect(pending.stdout).toMatch(/_more is pending/);
  expect(pending.stdout).toContain("cms migrate status");
});

test("transactions that are forgotten, dead rows and old databases are told", async () => {
  const { url, client, run } = await project();
  const database = await openPostgres(url.href, 2);
  onTestFinished(() => database.close());
  const reading = createReading(database);
  expect(await examineActivity(database, reading)).toEqual([]);
  await run(
    "create table crowd with (autovacuum_enabled = false) as select n from generate_series(1, 11000) n",
    "analyze crowd",
    "delete from crowd",
    "begin",
    "create table half (n int)",
    "prepare transaction 'forgotten'",
  );
  onTestFinished(() => run("rollback prepared 'forgotten'").catch(() => {}));
  await client.unsafe("begin");
  const told = await examineActivity(database, reading, { idleSeconds: 0 });
  expect(told.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^a transaction of process \d+ .*idle in transaction$/),
    "the prepared transaction forgotten waits to be committed or rolled back",
  ]);
  await client.unsafe("rollback");
  // What a connection has counted is seen some time later.
  const dead = async (): Promise<readonly string[]> => {
    await client.unsafe("select 1");
    return (await examineUpkeep(reading)).map(({ title }) => title);
  };
  await expect.poll(dead).toEqual([expect.stringMatching(/^crowd has 11,000 dead rows/)]);
  const old = (await examineUpkeep(reading, { oldAge: 1 })).at(-1);
  expect(old?.title).toContain("transactions have passed");
  expect(old?.sql).toHaveLength(3);
});

test("what a pooler takes away is told", async () => {
  const { root, url } = await project();
  const pooler = await poolerTo(url, { keepsPrepared: true });
  onTestFinished(pooler.close);
  url.port = String(pooler.port);
  await writeFile(path.join(root, ".env"), `DATABASE_URL=${url.href}\n`);
  expect((await doctor(root)).found.problems).toMatchObject([
    { title: "statements have no time limit", sql: [`alter role "galley" set statement_timeout = '10s';`] },
    { title: "random_page_cost is 4", sql: ['alter role "galley" set random_page_cost = 1.1;'] },
    { title: "notifications do not arrive", sql: [] },
  ]);
});

test("without a database it says so and creates none", async () => {
  const root = await generatedProject();
  const { code, stderr } = await cms(root, ["doctor"]);
  expect(code).toBe(2);
  expect(stderr).toContain("there is no database yet");
  expect(await readdir(path.join(root, ".cms"))).not.toContain("data");
  expect(await readFile(path.join(root, ".gitignore"), "utf8")).toContain(".cms");
});
