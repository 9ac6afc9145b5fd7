/** A connection pooler before the server, which gives each transaction another connection. */
import { expect, onTestFinished, test } from "vitest";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { openConnection } from "../../../runtime/database/postgres/connection.ts";
import { Listener } from "../../../runtime/database/postgres/listener.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { INSIDE } from "../../../runtime/database/transaction.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { poolerTo } from "../../support/pooler.ts";

const open = async (keepsPrepared: boolean, prepare?: boolean) => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const pooler = await poolerTo(url, { keepsPrepared });
  onTestFinished(pooler.close);
  url.port = String(pooler.port);
  const database = await openDatabase(configSchema.parse({ database: { url: url.href, pool: 4, prepare } }), ".");
  onTestFinished(() => database.close());
  return database;
};

/** Fails outside of a transaction. */
const guarded = `with stored as (insert into t values ($1::int) returning n) select n from stored where 1${INSIDE}`;

test("a pooler that loses prepared statements is refused with what mends it", async () => {
  const refused: unknown = await open(false).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SetupError);
  expect(String(refused)).toMatch(/max_prepared_statements.*`prepare: false`.*DATABASE_PREPARE=false/);
});

test.each([
  ["keeps prepared statements", true, true],
  ["loses them, where none are prepared", false, false],
])("everything works over a pooler that %s", async (_, keepsPrepared, prepare) => {
  const database = await open(keepsPrepared, prepare);
  await database.script("create table t (n int)");
  const write = (number: number) =>
    database.transaction(async (session) => {
      await session.rows("select $1::int", [number]);
      return session.last(() => session.rows("insert into t values ($1) returning n", [number]));
    });
  const together = (number: number) =>
    database.transaction((session) => session.last(() => session.rows(guarded, [number])), { readsFirst: true });
  const numbers = Array.from({ length: 30 }, (_each, number) => number);
  for (let round = 0; round < 3; round += 1) {
    const work = numbers.map((number) => [write(number), database.rows("select $1::int", [number])]);
    expect(await Promise.all(work.flat())).toEqual(numbers.flatMap((number) => [[[number]], [[number]]]));
  }
  expect(await database.rows("select count(*) from t")).toEqual([["90"]]);
  for (let round = 0; round < 3; round += 1) {
    const work = numbers.map((number) => [together(number), database.rows("select $1::int", [number])]);
    expect(await Promise.all(work.flat())).toEqual(numbers.flatMap((number) => [[[number]], [[number]]]));
    const outside = await Promise.allSettled(numbers.map((number) => database.rows(guarded, [number])));
    expect(outside.every(({ status }) => status === "rejected")).toBe(true);
  }
  expect(await database.rows("select count(*) from t")).toEqual([["180"]]);
  const timeouts = "select current_setting('lock_timeout'), current_setting('statement_timeout')";
  expect(await database.transaction((session) => session.rows(timeouts))).toEqual([["5s", "10s"]]);
});

test("who listens over a pooler that takes notifications away is called all the same, without a payload", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const sender = await openPostgres(url.href, 1);
  const pooler = await poolerTo(url, { keepsPrepared: true });
  url.port = String(pooler.port);
  const listener = new Listener({
    open: (events) => openConnection({ url: url.href, patience: 5000 }, {}, events),
    notify: (channel) => sender.rows("select pg_notify($1, '')", [channel]),
    heartbeat: 50,
    arrival: 50,
  });
  onTestFinished(async () => {
    await Promise.all([listener.close(), sender.close()]);
    await pooler.close();
  });
  const received: (string | undefined)[] = [];
  await listener.listen("news", (payload) => void received.push(payload));
  await sender.rows("select pg_notify('news', 'lost')");
  await expect.poll(() => received.slice(0, 2)).toEqual([undefined, undefined]);
});
