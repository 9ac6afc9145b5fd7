/** Who gets which of the connections to a PostgreSQL server, and for how long. */
import { test, type TestContext } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { SOON } from "../../support/soon.ts";
import { wireTo } from "../../support/wire.ts";

type Cleanup = TestContext["onTestFinished"];

const open = async (
  onTestFinished: Cleanup,
  ...[url, pool, limits]: Parameters<typeof openPostgres>
): Promise<Database> => {
  const database = await openPostgres(url, pool, limits);
  onTestFinished(() => database.close());
  return database;
};

const backend = "select pg_backend_pid()";

test.concurrent("transactions run side by side, and leave a connection to readers", async ({
  expect,
  onTestFinished,
}) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 4);
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

const lockedRow = async (onTestFinished: Cleanup, limits: Parameters<typeof openPostgres>[2]) => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = [await open(onTestFinished, url, 4, limits), await open(onTestFinished, url, 1)];
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

test.concurrent("readers do not wait for the writers of a locked row", async ({ expect, onTestFinished }) => {
  const { database, write, release } = await lockedRow(onTestFinished, { lockSeconds: 60, statementSeconds: 60 });
  const writers = Array.from({ length: 12 }, write);
  for (let read = 0; read < 5; read += 1) expect(await database.rows("select n from t")).toEqual([[0]]);
  await release();
  expect((await Promise.all(writers)).map(([row]) => Number(row?.[0])).toSorted((a, b) => a - b)).toEqual(
    writers.map((_, index) => index + 1),
  );
});

test.concurrent("a writer of a locked row gives up", async ({ expect, onTestFinished }) => {
  const { database, write, release } = await lockedRow(onTestFinished, { lockSeconds: 0.2 });
  await expect(write()).rejects.toThrow("Others hold what this needs");
  await release();
  expect(await database.rows("select n from t")).toEqual([[0]]);
});

test.concurrent("where a server gives fewer connections than the pool may have, those do the work", async ({
  expect,
  onTestFinished,
}) => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const admin = await open(onTestFinished, url.href, 1);
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

test.concurrent("a server that answers no more is given up, and used again when it answers", async ({
  expect,
  onTestFinished,
}) => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await open(onTestFinished, url.href, 4, { statementSeconds: 2 });
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

test.concurrent("a statement that runs too long is ended, and so is a transaction that was forgotten", async ({
  expect,
  onTestFinished,
}) => {
  // A connection is given up after the same time: it has to be long enough for one on a busy machine.
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 2, { statementSeconds: 3 });
  const slow = database.rows("select pg_sleep(60)");
  await expect(slow).rejects.toThrow("The database took too long");
  expect(await database.rows("show idle_in_transaction_session_timeout")).toEqual([["1min"]]);
});

const SLEEP = "select pg_sleep($1::float8)";

test.concurrent("what waits goes to the connection that is free first, not behind a slow statement", async ({
  expect,
  onTestFinished,
}) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 2);
  await Promise.all([database.rows("select 1"), database.rows("select 1")]);
  let isSlowOver = false;
  const slow = database.rows(SLEEP, [3]).then(() => void (isSlowOver = true));
  await Promise.all([database.rows(SLEEP, [0.2]), ...Array.from({ length: 20 }, () => database.rows("select 1"))]);
  expect(isSlowOver).toBe(false);
  await slow;
});

test.concurrent.for([
  ["address", ["203.0.113.7"]],
  ["token", ["a token", "203.0.113.7"]],
] as const)("one client by its %s, whatever it sends, leaves connections to others", async ([, keys], context) => {
  const { expect, onTestFinished } = context;
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 4);
  const greedy = Array.from({ length: 64 }, (__, number) =>
    database.rows(SLEEP, [number < 8 ? 1.5 : 0], { aborted: false, keys }),
  );
  for (const other of ["198.51.100.1", "198.51.100.2"]) {
    const first = await Promise.race([
      database.rows("select 'other'", [], { aborted: false, keys: [other] }),
      ...greedy.slice(0, 8),
    ]);
    expect(first).toEqual([["other"]]);
  }
  await Promise.all(greedy);
});

const SLOW_READ = 'select pg_sleep($1::float8) from "rows" limit 1';

test.concurrent("one client whose reads of a table are slow leaves connections to others that read it", async ({
  expect,
  onTestFinished,
}) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 8);
  await database.script('create table "rows" (n int); insert into "rows" values (1)');
  let answered = 0;
  const greedy = Array.from({ length: 64 }, async (_, number) => {
    await database.rows(SLOW_READ, [number < 8 ? 3 : 0], { aborted: false, keys: ["203.0.113.7"] });
    answered += 1;
  });
  for (const other of ["198.51.100.1", "198.51.100.2"])
    expect(await database.rows('select n from "rows"', [], { aborted: false, keys: [other] })).toEqual([[1]]);
  expect(answered).toBe(0);
  await Promise.all(greedy);
});

test.concurrent("one client that writes leaves connections to others that write", async ({ onTestFinished }) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 4);
  const end = deferred();
  const write = (key: string, work: () => Promise<void>) =>
    database.transaction(work, { client: { aborted: false, keys: [key] } });
  const greedy = Array.from({ length: 20 }, () => write("203.0.113.7", () => end.promise));
  for (const other of ["198.51.100.1", "198.51.100.2"]) await write(other, async () => {});
  end.resolve();
  await Promise.all(greedy);
});

test.concurrent("a transaction whose client has waited long enough fails and stores nothing", async ({
  expect,
  onTestFinished,
}) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 4);
  await database.script("create table t (n int)");
  const client = { aborted: false, deadline: performance.now() + 1000 };
  const write = database.transaction(
    async (session) => {
      await session.rows("insert into t values (1)");
      await session.rows(SLEEP, [60]);
    },
    { client },
  );
  await expect(write).rejects.toThrow("The database took too long");
  expect(await database.rows("select n from t")).toEqual([]);
  await expect(database.transaction(async () => {}, { client })).rejects.toThrow("The database took too long");
});

test.concurrent("a locked table, with readers and writers that wait for it, leaves connections to reads of others", async ({
  expect,
  onTestFinished,
}) => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = [
    await open(onTestFinished, url, 8, { lockSeconds: 60, statementSeconds: 60 }),
    await open(onTestFinished, url, 1),
  ];
  await other.script('create table "locked" (n int); create table "free" (n int)');
  const [isLocked, end] = [deferred(), deferred()];
  const holder = other.transaction(async (session) => {
    await session.script('lock table "locked" in access exclusive mode');
    isLocked.resolve();
    await end.promise;
  });
  await isLocked.promise;
  // The same client reads both: a site whose pages are made by one other server.
  const reader = { aborted: false, keys: ["203.0.113.7"] };
  const waiting = Array.from({ length: 60 }, (_, number) =>
    number % 2 === 0
      ? database.rows('select n from "locked"', [], reader)
      : database.transaction((session) => session.rows('insert into "locked" values (1)')),
  );
  for (let read = 0; read < 5; read += 1) expect(await database.rows('select n from "free"', [], reader)).toEqual([]);
  end.resolve();
  await holder;
  await Promise.all(waiting);
});

test.concurrent("a statement whose client has waited long enough fails, and its connection does other work", async ({
  expect,
  onTestFinished,
}) => {
  const database = await open(onTestFinished, await freshPostgresUrl(onTestFinished), 1);
  const client = { aborted: false, deadline: performance.now() + 300 };
  const asked = [database.rows(SLEEP, [60], client), database.rows("select 1", [], client)];
  for (const each of asked) await expect(each).rejects.toThrow("The database took too long");
  expect(await database.rows("select 2")).toEqual([[2]]);
});

test.concurrent.for([
  ["may not log in any more", "nologin", "login"],
  ["has another password", "password 'new'", "password 'old'"],
] as const)(
  "a server whose role %s is unavailable until it may again",
  async ([, spoil, mend], { expect, onTestFinished }) => {
    const url = new URL(await freshPostgresUrl(onTestFinished));
    const admin = await open(onTestFinished, url.href, 1);
    const role = `rotated_${url.pathname.slice(-8)}`;
    await admin.script(`create role ${role} login password 'old'`);
    onTestFinished(async () => void (await admin.script(`drop role ${role}`)));
    [url.username, url.password] = [role, "old"];
    const database = await openPostgres(url.href, 2);
    await admin.script(`alter role ${role} ${spoil}`);
    await admin.rows("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);
    const outcome = () => database.rows("select 1").catch((error: unknown) => error);
    await expect.poll(async () => (await outcome()) instanceof ServiceUnavailableError, SOON).toBe(true);
    await expect.poll(async () => Object(await outcome()).cause?.code, SOON).toMatch(/^28/);
    await admin.script(`alter role ${role} ${mend}`);
    await expect.poll(outcome, SOON).toEqual([[1]]);
    await database.close();
  },
);
