/** Transactions whose first statements are sent together with their begin. */
import { createServer, connect, type Socket } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Database, Transaction } from "../../../runtime/database/database.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { INSIDE } from "../../../runtime/database/transaction.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { createWorld } from "../documents/world.ts";

const url = await freshPostgresUrl();
const direct = await openPostgres(url, 2);
afterAll(() => direct.close());
await direct.script("create table t (n int)");

const READS_FIRST = { readsFirst: true };

interface Watched {
  readonly database: Database;
  /** Keeps answers back from now on. */
  hold(): void;
  release(): void;
}

/** A database behind a server that replaces what is sent to it by `change`, and ends where that leaves out some of it. */
const through = async (change: (sent: string) => string): Promise<Watched> => {
  const { hostname, port } = new URL(url);
  const upstreams: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstreams.push(upstream);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("data", (sent) => {
      const changed = Buffer.from(change(sent.toString("latin1")), "latin1");
      upstream.write(changed);
      if (changed.length < sent.length) upstream.end();
    });
    client.on("close", () => upstream.destroy());
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String(typeof address === "object" ? address?.port : "");
  const database = await openPostgres(own.href, 1);
  onTestFinished(async () => {
    server.close();
  });
  return {
    database,
    hold: () => upstreams.forEach((upstream) => upstream.pause()),
    release: () => upstreams.forEach((upstream) => upstream.resume()),
  };
};

const insert = (session: Pick<Transaction, "rows">) => session.rows("insert into t values ($1)", [1]);

/** Fails outside of a transaction. */
const guarded = `with stored as (insert into t values (1) returning n) select n from stored where 1${INSIDE}`;

/** What code may do first in a transaction, however careless. */
const works: readonly (readonly [string, (session: Transaction) => Promise<unknown>])[] = [
  ["reads and then writes", async (session) => [await session.rows("select 1"), await insert(session)]],
  ["writes at once", (session) => insert(session)],
  ["writes as the last thing", (session) => session.last(() => insert(session))],
  ["writes with a guard", (session) => session.rows(guarded)],
  ["writes with a guard as the last thing", (session) => session.last(() => session.rows(guarded))],
  ["sends a script", (session) => session.script("insert into t values (1)")],
  ["overlooks failures", (session) => Promise.allSettled([session.rows("select 1"), insert(session), insert(session)])],
];

test.each(works)("nothing is stored if the begin fails: it %s", async (_how, work) => {
  const { database } = await through((sent) => sent.replaceAll("begin; ", "begix; "));
  const failing = database.transaction(work, READS_FIRST).catch((error: unknown) => faultOf(error)?.code);
  await expect(failing).resolves.toBe("42601");
  expect(await direct.rows("select n from t")).toEqual([]);
  expect(await database.rows("select 1")).toEqual([[1]]);
});

test("reads and guarded writes are sent with the begin, others after it has been answered, in their order", async () => {
  let sent = "";
  const select = deferred();
  const { database, hold, release } = await through((text) => {
    sent += text;
    if (sent.includes("select 42")) select.resolve();
    return text;
  });
  hold();
  const done = database.transaction(
    (session) =>
      session.last(() =>
        Promise.all([
          session.rows(guarded),
          session.rows("select 42"),
          insert(session),
          session.rows("delete from t returning n"),
        ]),
      ),
    READS_FIRST,
  );
  await select.promise;
  expect([...sent.matchAll(/begin;|insert into t|delete/g)].join()).toBe("begin;,insert into t");
  release();
  await expect(done).resolves.toEqual([[[1]], [[42]], [], [[1], [1]]]);
  expect(sent.lastIndexOf("commit")).toBeGreaterThan(sent.indexOf("delete"));
});

test.each(works.slice(0, -1))("what is sent is committed if the begin succeeds: it %s", async (_how, work) => {
  await direct.transaction(work, READS_FIRST);
  expect(await direct.rows("delete from t returning n")).toEqual([[1]]);
});

test("a connection that has had transactions stores nothing either if the next begin fails", async () => {
  let isBroken = false;
  const { database } = await through((sent) => (isBroken ? sent.replaceAll("begin; ", "begix; ") : sent));
  const write = (session: Transaction) => session.last(() => session.rows(guarded));
  for (let turn = 0; turn < 3; turn += 1) await database.transaction(write, READS_FIRST);
  isBroken = true;
  await expect(database.transaction(write, READS_FIRST)).rejects.toThrow();
  await expect(database.rows(guarded)).rejects.toThrow();
  expect(await direct.rows("delete from t returning n")).toHaveLength(3);
});

test("wherever the connection is cut, all of a transaction is stored or nothing, and all if it was acknowledged", async () => {
  const outcomes: string[] = [];
  const cutAfter = async (bytes: number): Promise<void> => {
    let left = Infinity;
    const { database } = await through((sent) => {
      if (sent.includes("begin; ")) left = bytes;
      const passed = sent.slice(0, left);
      left -= passed.length;
      return passed;
    });
    const done = database.transaction(
      (session) =>
        session.last(() => Promise.all([session.rows(guarded), session.rows("select 1"), session.rows(guarded)])),
      READS_FIRST,
    );
    const isAcknowledged = await done.then(
      () => true,
      () => false,
    );
    const stored = (await direct.rows("delete from t returning n")).length;
    outcomes.push(`${isAcknowledged} ${stored}`);
  };
  for (let bytes = 0; bytes < 900; bytes += 45) await cutAfter(bytes);
  expect(new Set(outcomes)).toEqual(new Set(["false 0", "true 2"]));
});

test.each(works)("nothing is stored if the role may not mark its transactions: it %s", async (_how, work) => {
  const { database } = await through((sent) => sent.replaceAll("local galley.tr", "local galley_tr"));
  const failing = database.transaction(work, READS_FIRST).catch((error: unknown) => faultOf(error)?.code);
  await expect(failing).resolves.toBe("42704");
  expect(await direct.rows("select n from t")).toEqual([]);
  expect(await database.rows("select 1")).toEqual([[1]]);
});

test("a function that code of the project calls is not called if the begin fails", async () => {
  await direct.script("create function store() returns int language sql as 'insert into t values (1) returning n'");
  let isBroken = false;
  const { database } = await through((sent) => (isBroken ? sent.replaceAll("begin; ", "begix; ") : sent));
  const { services } = await createWorld(database);
  const call = () => services.transaction(({ db }) => db.execute("select store()"));
  await call();
  expect(await direct.rows("delete from t returning n")).toEqual([[1]]);
  isBroken = true;
  await expect(call()).rejects.toThrow();
  expect(await direct.rows("delete from t returning n")).toEqual([]);
});

test("what is sent last is undone together", async () => {
  const failing = direct.transaction(
    (session) => session.last(() => Promise.all([insert(session), session.rows("select 1 / 0")])),
    READS_FIRST,
  );
  await expect(failing.catch((error: unknown) => faultOf(error)?.code)).resolves.toBe("22012");
  expect(await direct.rows("select n from t")).toEqual([]);
});
