/** Who gets which of the connections to a PostgreSQL server, and for how long. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { wireTo } from "../../support/wire.ts";

const open = async (...[url, pool, limits]: Parameters<typeof openPostgres>): Promise<Database> => {
  const database = await openPostgres(url, pool, limits);
  onTestFinished(() => database.close());
  return database;
};

const backend = "select pg_backend_pid()";

test("transactions run side by side, and leave a connection to readers", async () => {
  const database = await open(await freshPostgresUrl(onTestFinished), 4);
  const end = deferred();
  const arrivals = Array.from({ length: 3 }, () => deferred());
  const transactions = arrivals.map(({ resolve }) =>
    database.transaction(async (session) => {
      const [row] = await session.rows(backend);
      resolve();
      await end.promise;
      return row?.[0];
    }),
  );
  await Promise.all(arrivals.map(({ promise }) => promise));
  const fourth = database.transaction((session) => session.rows(backend));
  const reader = await database.rows(backend);
  end.resolve();
  const backends = await Promise.all(transactions);
  expect(new Set([...backends, reader[0]?.[0]]).size).toBe(4);
  expect(await fourth).toHaveLength(1);
});

const lockedRow = async (limits: Parameters<typeof openPostgres>[2]) => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = [await open(url, 4, limits), await open(url, 1)];
  await other.script("create table t (n int); insert into t values (0)");
  const locked = deferred();
  const end = deferred();
  const holder = other.transaction(async (session) => {
    await session.rows("select n from t for update");
    locked.resolve();
    await end.promise;
  });
  await locked.promise;
  const write = () => database.transaction((session) => session.rows("update t set n = n + 1 returning n"));
  return { database, write, release: () => (end.resolve(), holder) };
};

test("readers do not wait for the writers of a locked row", async () => {
  const { database, write, release } = await lockedRow({ lockSeconds: 60, statementSeconds: 60 });
  const writers = Array.from({ length: 12 }, write);
  for (let read = 0; read < 5; read += 1) expect(await database.rows("select n from t")).toEqual([[0]]);
  await release();
  expect((await Promise.all(writers)).map(([row]) => Number(row?.[0])).toSorted((a, b) => a - b)).toEqual(
    writers.map((_, index) => index + 1),
  );
});

test("a writer of a locked row gives up", async () => {
  const { database, write, release } = await lockedRow({ lockSeconds: 0.2 });
  await expect(write()).rejects.toThrow("Others hold what this needs");
  await release();
  expect(await database.rows("select n from t")).toEqual([[0]]);
});

test("where a server gives fewer connections than the pool may have, those do the work", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const admin = await open(url.href, 1);
  const role = `few_${url.pathname.slice(-8)}`;
  await admin.script(`create role ${role} login password 'few' connection limit 3`);
  onTestFinished(async () => void (await admin.script(`drop role ${role}`)));
  [url.username, url.password] = [role, "few"];
  const database = await openPostgres(url.href, 8);
  const numbers = Array.from({ length: 125 }, (_, number) => number);
  const read = (number: number) => database.rows("select $1::int from pg_sleep(0.005)", [number]);
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.allSettled(numbers.map(read));
    expect(answers.filter(({ status }) => status === "rejected")).toEqual([]);
  }
  const writes = numbers.map((number) => database.transaction((session) => session.rows("select $1::int", [number])));
  expect((await Promise.all(writes)).map(([row]) => row?.[0])).toEqual(numbers);
  await database.close();
});

test("a server that answers no more is given up, and used again when it answers", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await open(url.href, 4, { statementSeconds: 2 });
  onTestFinished(between.cut);
  await Promise.all([database.rows("select 1"), database.rows("select 1")]);

  between.swallow();
  const work = Array.from({ length: 6 }, (_, number) =>
    number % 2 === 0 ? database.rows("select 1") : database.transaction((session) => session.rows("select 1")),
  );
  for (const outcome of await Promise.all(work.map((each) => each.catch((error: unknown) => error))))
    expect(outcome).toBeInstanceOf(ServiceUnavailableError);
  await expect(database.rows("select 1")).rejects.toBeInstanceOf(ServiceUnavailableError);

  await between.cut();
  await between.mend();
  await expect.poll(() => database.rows("select 1").catch(() => "lost")).toEqual([[1]]);
});

test("a statement that runs too long is ended, and so is a transaction that was forgotten", async () => {
  // A connection is given up after the same time: it has to be long enough for one on a busy machine.
  const database = await open(await freshPostgresUrl(onTestFinished), 2, { statementSeconds: 3 });
  const slow = database.rows("select pg_sleep(60)");
  await expect(slow).rejects.toThrow("The database took too long");
  expect(await database.rows("show idle_in_transaction_session_timeout")).toEqual([["1min"]]);
});
