/** Statements whose client has gone: they end, and nothing that others sent ends with them. */
import { request } from "node:http";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { AbandonedError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { freshDatabase, freshPostgresUrl } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { SOON } from "../../support/soon.ts";

const PATIENT = { statementSeconds: 120, lockSeconds: 120 };

/** Somebody who may leave. */
const client = () => ({ aborted: false });

const url = await freshPostgresUrl();
const database = await openPostgres(url, 4, PATIENT);
afterAll(() => database.close());
await migrate(database, "generated/migrations");

/** Looks on from outside: on a connection of the server's own it could stand in line behind what it looks for. */
const onlooker = await openPostgres(url, 2, PATIENT);
afterAll(() => onlooker.close());

const waitingForLocks = async (): Promise<number> => {
  const [row] = await onlooker.rows(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return Number(row?.[0]);
};

test.each(["/api/articles", "/graphql?query={articles{data{id}}}"])(
  "what a client waits for with GET %s ends when the client has gone",
  async (path) => {
    const app = await exampleApp(onTestFinished, database);
    await app.allowPublic("api::article.article.find");
    const server = { ...app.services.config.server, host: "127.0.0.1", port: 0, shutdownSeconds: 1 };
    const { port, close } = await listen(app.app, server);
    onTestFinished(close);
    await onlooker.transaction(async (session) => {
      await session.script("lock table articles in access exclusive mode");
      const client = request({ port, host: "127.0.0.1", path, headers: { "apollo-require-preflight": "1" } });
      client.on("error", () => {});
      client.end();
      await vi.waitFor(async () => expect(await waitingForLocks()).toBeGreaterThan(0), SOON);
      client.destroy();
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(0), SOON);
    });
    expect((await fetch(`http://127.0.0.1:${port}/api/articles`)).status).toBe(200);
  },
);

/** A database with one connection, so that all statements stand in one line. */
const oneLine = async (): Promise<Database> => {
  const opened = await openPostgres(await freshPostgresUrl(onTestFinished), 1, PATIENT);
  onTestFinished(() => opened.close());
  return opened;
};

test("what stands in line behind a statement that is ended runs, once", async () => {
  const line = await oneLine();
  await line.script("create table t (n int)");
  const somebody = client();
  const slow = line.rows("select pg_sleep(100)", [], somebody);
  const behind = Array.from({ length: 5 }, (_, n) => line.rows("insert into t values ($1) returning n", [n]));
  somebody.aborted = true;
  await expect(slow).rejects.toBeInstanceOf(AbandonedError);
  expect(await Promise.all(behind)).toEqual([0, 1, 2, 3, 4].map((n) => [[n]]));
  expect(await line.rows("select count(*)::int from t")).toEqual([[5]]);
});

test("all that somebody has sent who has gone ends, wherever it stands in line", async () => {
  const line = await oneLine();
  const somebody = client();
  const slow = Array.from({ length: 6 }, () => line.rows("select pg_sleep(100)", [], somebody));
  const other = line.rows("select 1");
  somebody.aborted = true;
  for (const each of await Promise.allSettled(slow)) expect(each).toMatchObject({ reason: new AbandonedError() });
  expect(await other).toEqual([[1]]);
});

test("a statement that is over just when it would be ended harms nobody behind it", async () => {
  const line = await oneLine();
  await line.script("create table t (n int)");
  const rounds = Array.from({ length: 8 }, (_, round) => round);
  for (const round of rounds) {
    // Around the moment at which the pool looks after those who have gone.
    const somebody = client();
    const slow = line.rows("select pg_sleep($1::float8)", [0.15 + round / 40], somebody);
    const behind = line.rows("insert into t select $1::int from pg_sleep(0.1)", [round]);
    somebody.aborted = true;
    await slow.catch(() => {});
    await behind;
  }
  expect(await line.rows("select n from t order by n")).toEqual(rounds.map((round) => [round]));
});

test("a transaction behind an abandoned statement is not touched", async () => {
  const line = await oneLine();
  await line.script("create table t (n int)");
  const somebody = client();
  const slow = line.rows("select pg_sleep(1)", [], somebody);
  const written = line.transaction((session) => session.rows("insert into t values (1)"));
  somebody.aborted = true;
  await expect(slow).rejects.toBeInstanceOf(AbandonedError);
  await written;
  expect(await line.rows("select n from t")).toEqual([[1]]);
});

test.each(["postgres", "pglite"] as const)("on %s nothing is begun for those who have gone", async (kind) => {
  const own = await freshDatabase(kind, onTestFinished);
  await own.script("create table t (n int)");
  await expect(own.rows("insert into t values (1)", [], { aborted: true })).rejects.toBeInstanceOf(AbandonedError);
  expect(await own.rows("select n from t")).toEqual([]);
});
