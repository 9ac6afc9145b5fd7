import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { bothDatabases, type Cleanup, freshDatabase } from "../../support/database.ts";
import { throughSocket } from "../../support/ipc.ts";

const everyWay = [...bothDatabases, "a socket"] as const;
const open = (way: (typeof everyWay)[number], cleanup: Cleanup = afterAll): Promise<Database> =>
  way === "a socket" ? throughSocket(cleanup) : freshDatabase(way, cleanup);

const databases = new Map<string, Database>();
for (const way of everyWay) databases.set(way, await open(way));
const on = (kind: string): Database => {
  const database = databases.get(kind);
  if (!database) throw new Error(`no database ${kind}`);
  return database;
};

const faultFrom = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    return faultOf(error);
  }
  throw new Error("nothing was refused");
};

test.each(everyWay)("values come back in the same form from %s", async (kind) => {
  const [row] = await on(kind).rows(
    `select 1::int2, 2::int4, 1.5::float4, 1.25::float8, true, false, null::text, 9007199254740993::int8, 12.30::numeric,
       '{"b": 1,  "a": [2]}'::json, '{"b": 1,  "a": [2]}'::jsonb, '2026-01-02'::date, '10:00:00.5'::time,
       '2026-01-02T03:04:05.600Z'::timestamptz, '2026-01-02 03:04:05.600'::timestamp(3), 'ü😀'::text, array[1,2],
       array['a b','c'], '\\xff00'::bytea, 'x'::varchar(5), 'NaN'::float8, '-Infinity'::float4`,
  );
  expect(row).toEqual([
    1,
    2,
    1.5,
    1.25,
    true,
    false,
    null,
    "9007199254740993",
    "12.30",
    '{"b": 1,  "a": [2]}',
    '{"a": [2], "b": 1}',
    "2026-01-02",
    "10:00:00.5",
    "2026-01-02 03:04:05.6+00",
    "2026-01-02 03:04:05.6",
    "ü😀",
    "{1,2}",
    '{"a b",c}',
    "\\xff00",
    "x",
    Number.NaN,
    Number.NEGATIVE_INFINITY,
  ]);
});

test.each(everyWay)("parameters of every kind arrive on %s", async (kind) => {
  const [row] = await on(kind).rows(
    `select $1::int4, $2::int8, $3::numeric, $4::bool, $5::bool, $6::json, $7::timestamp(3), $8::text, $9::int[], $10::text[],
       $11::text, $12::jsonb`,
    [
      1,
      "9007199254740993",
      "1.10",
      true,
      "false",
      '{"a":"\\"" }',
      "2026-01-02T03:04:05.678Z",
      null,
      [1, 2],
      ['a"b', "c,d", "e\\f", "NULL", ""],
      "",
      "null",
    ],
  );
  expect(row).toEqual([
    1,
    "9007199254740993",
    "1.10",
    true,
    false,
    '{"a":"\\"" }',
    "2026-01-02 03:04:05.678",
    null,
    "{1,2}",
    '{"a\\"b","c,d","e\\\\f","NULL",""}',
    "",
    "null",
  ]);
});

test.each(everyWay)("an empty array finds nothing on %s", async (kind) => {
  expect(await on(kind).rows("select 1 where 1 = any($1::int[])", [[]])).toEqual([]);
});

test.each(everyWay)("a transaction commits what it did, or nothing, on %s", async (kind) => {
  const database = await open(kind, onTestFinished);
  await database.script("create table t (n int)");
  const result = await database.transaction(async (session) => {
    await session.rows("insert into t values (1)");
    return session.transaction(async (inner) => {
      await inner.rows("insert into t values (2)");
      return "done";
    });
  });
  expect(result).toBe("done");
  const failing = database.transaction(async (session) => {
    await session.rows("insert into t values (3)");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await database.rows("select n from t order by n")).toEqual([[1], [2]]);
});

test.each(everyWay)("a fault names what was violated on %s", async (kind) => {
  const database = await open(kind, onTestFinished);
  await database.script("create table things (code text constraint things_code_key unique, n int not null default 0)");
  await database.rows("insert into things (code) values ($1)", ["a"]);
  expect(await faultFrom(database.rows("insert into things (code) values ($1)", ["a"]))).toEqual({
    code: "23505",
    constraint: "things_code_key",
    table: "things",
    detail: "Key (code)=(a) already exists.",
  });
  expect(await faultFrom(database.rows("insert into things (n) values (null)"))).toMatchObject({
    code: "23502",
    table: "things",
    column: "n",
  });
  expect(await faultFrom(database.rows("selec"))).toMatchObject({ code: "42601" });
  expect(await database.rows("select code from things")).toEqual([["a"]]);
});

test.each(everyWay)("a prepared statement survives a change of its table on %s", async (kind) => {
  const database = await open(kind, onTestFinished);
  await database.script("create table t (n int); insert into t values (7)");
  const read = () => database.rows("select * from t");
  expect(await read()).toEqual([[7]]);
  await database.script("alter table t alter column n type text; alter table t add column m int default 1");
  expect(await read()).toEqual([["7", 1]]);
});

test.each(everyWay)("statements sent at once are all answered on %s", async (kind) => {
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, index) => on(kind).rows(`select $1::int + ${index}`, [index])),
  );
  expect(answers.map(([row]) => row?.[0])).toEqual(Array.from({ length: 600 }, (_, index) => index * 2));
});

test.each(everyWay)("a notification reaches its listener until it stops on %s", async (kind) => {
  const received: (string | undefined)[] = [];
  const stop = await on(kind).listen("changes", (payload) => received.push(payload));
  await on(kind).rows("select pg_notify('changes', $1)", ["first"]);
  await expect.poll(() => received).toEqual(["first"]);
  await stop();
  await on(kind).rows("select pg_notify('changes', $1)", ["second"]);
  await on(kind).rows("select 1");
  expect(received).toEqual(["first"]);
});

test.each(everyWay)("exclusive work keeps its session on %s", async (kind) => {
  await on(kind).exclusively(async (session) => {
    await session.rows("select set_config('lock_timeout', '1234ms', false)");
    await session.transaction(async (inside) => {
      expect(await inside.rows("show lock_timeout")).toEqual([["1234ms"]]);
    });
    await session.rows("select set_config('lock_timeout', '0', false)");
  });
});
