/** Tables that change while they are used: prepared statements of before fail, and what was acknowledged is stored. */
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres.ts";
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
