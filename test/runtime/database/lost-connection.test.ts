import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { wireTo } from "../../support/wire.ts";

test("a transaction that waits for a connection gets one when that of another is lost", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = await Promise.all([openPostgres(url, 1), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  const begun = deferred();
  const first = database.transaction(async (session) => {
    begun.resolve();
    await session.rows("select pg_sleep(60)");
  });
  const lost = expect(first).rejects.toBeInstanceOf(ServiceUnavailableError);
  await begun.promise;
  const waiting = database.transaction((session) => session.rows("select 1"));
  const asleep =
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await expect.poll(() => other.rows(asleep)).toEqual([[true]]);
  await lost;
  expect(await waiting).toEqual([[1]]);
});

test("transactions end, and the process goes on, whenever their connections are lost", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = await Promise.all([openPostgres(url, 4), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  const until = Date.now() + 3000;
  const outcomes = new Set<unknown>();
  const isGoing = () => Date.now() < until || outcomes.size < 2;
  const workers = Array.from({ length: 16 }, async (_, worker) => {
    for (let count = 0; isGoing(); count += 1) {
      // Texts that come anew are described first, which takes the driver another way.
      const text = `select $1::int as "${worker} ${count % 3}"`;
      const work = database.transaction(async (session) => {
        await Promise.all([session.rows(text, [1]), session.rows("select pg_sleep(0.001)")]);
        const send = () => session.rows(text, [2]);
        return worker % 2 === 0 ? session.last(send) : send();
      });
      outcomes.add(await work.then(String, (error: unknown) => error instanceof ServiceUnavailableError || error));
    }
  });
  const others =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  while (isGoing()) {
    await other.rows(others);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await Promise.all(workers);
  expect(outcomes).toEqual(new Set(["2", true]));
  // A connection that was told to end last may end only now.
  const ask = () => database.transaction((session) => session.rows("select 3"));
  const all = () => Promise.all(Array.from({ length: 8 }, ask)).catch(() => []);
  await expect.poll(async () => (await all()).flat(2)).toEqual(Array.from({ length: 8 }, () => 3));
});

test("a lost database is unavailable, and is back when it is back", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 1);
  onTestFinished(() => database.close());
  onTestFinished(between.cut);
  await database.rows("select 1");

  const broken = database.transaction(async (session) => {
    await between.cut();
    await session.rows("select 1");
  });
  await expect(broken).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect(database.rows("select 1")).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect(database.transaction(async () => {})).rejects.toBeInstanceOf(ServiceUnavailableError);

  await between.mend();
  await expect.poll(() => database.rows("select 1").catch(() => "lost")).toEqual([[1]]);
  expect(await database.transaction((session) => session.rows("select 2"))).toEqual([[2]]);
});

test("listening ends without an error when the database is lost", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 1);
  onTestFinished(() => database.close());
  const stop = await database.listen("news", () => {});
  await between.cut();
  await expect(stop()).resolves.toBeUndefined();
});
