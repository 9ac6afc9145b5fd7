/** The end of a transaction whose commit is sent with its last statements. */
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { bothDatabases, freshDatabase, freshPostgresUrl } from "../../support/database.ts";
import { throughSocket } from "../../support/ipc.ts";
import { wireTo } from "../../support/wire.ts";

const TABLE = "create table t (n int unique, m int unique deferrable initially deferred)";

const everyWay = [...bothDatabases, "a socket"] as const;
type Way = (typeof everyWay)[number];

const databases = new Map<Way, Database>([["a socket", await throughSocket(afterAll)]]);
for (const kind of bothDatabases) databases.set(kind, await freshDatabase(kind));

/** The database of that kind with an empty table. */
const withTable = async (kind: Way): Promise<Database> => {
  const database = databases.get(kind);
  if (!database) throw new Error(`no database ${kind}`);
  await database.script(`drop table if exists t; ${TABLE}`);
  return database;
};

const numbers = "select n from t order by n";

test.each(everyWay)("the last statements are committed with those before them on %s", async (kind) => {
  const database = await withTable(kind);
  const result = await database.transaction(async (session) => {
    await session.rows("insert into t values ($1)", [1]);
    return session.last(async () => {
      const [, rows] = await Promise.all([session.rows("insert into t values ($1)", [2]), session.rows(numbers)]);
      return rows;
    });
  });
  expect(result).toEqual([[1], [2]]);
  expect(await database.rows(numbers)).toEqual([[1], [2]]);
});

test.each(everyWay)("one of them that fails takes everything back on %s", async (kind) => {
  const database = await withTable(kind);
  await database.rows("insert into t values (2)");
  const failing = database.transaction(async (session) => {
    await session.rows("insert into t values ($1)", [1]);
    return session.last(() =>
      Promise.all([3, 2, 4].map((number) => session.rows("insert into t values ($1)", [number]))),
    );
  });
  await expect(failing.catch((error: unknown) => faultOf(error)?.code)).resolves.toBe("23505");
  expect(await database.rows(numbers)).toEqual([[2]]);
});

test.each(everyWay)("a commit that is refused is an error on %s", async (kind) => {
  const database = await withTable(kind);
  const failing = database.transaction((session) =>
    session.last(() => session.rows("insert into t values (1, 1), (2, 1)")),
  );
  await expect(failing.catch((error: unknown) => faultOf(error)?.code)).resolves.toBe("23505");
  expect(await database.rows(numbers)).toEqual([]);
});

test.each(everyWay)("nothing can follow them on %s", async (kind) => {
  const database = await withTable(kind);
  const failing = database.transaction(async (session) => {
    await session.last(() => session.rows("select 1"));
    await session.rows("insert into t values (1)");
  });
  await expect(failing).rejects.toThrow("A statement came after the last one of its transaction");
  expect(await database.rows(numbers)).toEqual([]);
});

test.each(everyWay)("inside another transaction they end nothing on %s", async (kind) => {
  const database = await withTable(kind);
  const failing = database.transaction(async (session) => {
    await session.transaction((inner) => inner.last(() => inner.rows("insert into t values (1)")));
    await session.rows("insert into t values (2)");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await database.rows(numbers)).toEqual([]);
});

test("their answers are not waited for", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const other = await openPostgres(url.href, 1);
  onTestFinished(() => other.close());
  await other.script(TABLE);
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 1);
  onTestFinished(() => database.close());

  const insert = (number: number) =>
    database.transaction(async (session) => {
      await session.rows("select 1");
      return session.last(() => {
        if (number === 3) between.mute();
        return session.rows("insert into t values ($1)", [number]);
      });
    });
  // A statement is prepared when it comes again; until then the driver asks for its parameters' types first.
  await insert(1);
  await insert(2);
  const lost = expect(insert(3)).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect.poll(() => other.rows(numbers)).toEqual([[1], [2], [3]]);
  await between.cut();
  await lost;
  await between.mend();
  await expect.poll(() => database.rows(numbers).catch(() => "lost")).toEqual([[1], [2], [3]]);
});
