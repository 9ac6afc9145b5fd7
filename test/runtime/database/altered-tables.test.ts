/** Tables that change while they are used: prepared statements of before fail, and what was acknowledged is stored. */
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { openConnection } from "../../../runtime/database/postgres/connection.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";

const opened = async (): Promise<readonly [Database, Database]> => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = await Promise.all([openPostgres(url, 4), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  await other.script(
    "create table t (id int primary key, n int); insert into t select id, 0 from generate_series(0, 15) id",
  );
  return [database, other];
};

const write = (database: Database, id: number, number: number) =>
  database.transaction(async (session) => {
    await session.rows("select * from t where id = $1 for update", [id]);
    return session.last(async () => {
      const [, rows] = await Promise.all([
        session.rows("update t set n = $2 where id = $1", [id, number]),
        session.rows("select * from t where id = $1", [id]),
      ]);
      return rows;
    });
  });

test("a write that is acknowledged while a table changes is stored", async () => {
  const [database, other] = await opened();
  const ids = Array.from({ length: 16 }, (_, id) => id);
  for (let round = 1; round <= 3; round += 1) await Promise.all(ids.map((id) => write(database, id, round)));
  await other.script("alter table t alter column n type text");
  const outcomes = await Promise.allSettled(ids.map((id) => write(database, id, 4)));
  const acknowledged = ids.filter((id) => outcomes[id]?.status === "fulfilled");
  const stored = await other.rows("select id from t where n = '4' order by id");
  expect(stored).toEqual(acknowledged.map((id) => [id]));
  expect(await Promise.all(ids.map((id) => write(database, id, 5)))).toEqual(ids.map((id) => [[id, "5"]]));
  const waiting =
    "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in tr%'";
  expect(await other.rows(waiting)).toEqual([["0"]]);
});

test("a statement that fails because its table has changed is not sent again behind the end of its transaction", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [connection, other] = await Promise.all([openConnection({ url, patience: 5000 }, {}), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([connection.close(), other.close()])));
  await other.script("create sequence reads; create table t (n int); insert into t values (0)");
  const read = () => connection.rows("select nextval('reads'), * from t where n::text <> $1", ["1"], true);
  await read();
  await read();
  await other.script("alter table t alter column n type text");
  const outcomes = await Promise.allSettled([connection.script("begin"), read(), connection.script("commit")]);
  expect(outcomes).toMatchObject([
    { value: "BEGIN" },
    { reason: { message: "cached plan must not change result type" } },
    { value: "ROLLBACK" },
  ]);
  expect(await other.rows("select last_value from reads")).toEqual([["2"]]);
});
