/** Every statement gets its own answer, and one that fails takes its transaction with it. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { bothDatabases, freshDatabase, freshPostgresUrl } from "../../support/database.ts";
import { wireTo } from "../../support/wire.ts";

const databases = new Map<string, Database>();
for (const kind of bothDatabases) {
  const database = await freshDatabase(kind);
  await database.script("create table t (n int unique)");
  databases.set(kind, database);
}
const on = (kind: string): Database => {
  const database = databases.get(kind);
  if (!database) throw new Error(`no database ${kind}`);
  return database;
};

test.each(bothDatabases)(
  "a transaction is not acknowledged when a statement's failure was overlooked on %s",
  async (kind) => {
    const overlooking = on(kind).transaction(async (session) => {
      await session.rows("insert into t values (1)");
      await session.rows("insert into t values (1)").catch(() => {});
      return "done";
    });
    await expect(overlooking.catch((error: unknown) => faultOf(error)?.code)).resolves.toBe("23505");
    const last = on(kind).transaction((session) =>
      session.last(async () => {
        const sent = [2, 2].map((number) => session.rows("insert into t values ($1)", [number]));
        await Promise.allSettled(sent);
      }),
    );
    await expect(last.catch((error: unknown) => faultOf(error)?.code)).resolves.toBe("23505");
    expect(await on(kind).rows("select n from t")).toEqual([]);
  },
);

test.each(bothDatabases)("nothing can be sent in a transaction that has ended on %s", async (kind) => {
  const session = await on(kind).transaction(async (inside) => inside);
  await expect(session.rows("insert into t values (9)")).rejects.toThrow("came after the last one");
  expect(await on(kind).rows("select n from t")).toEqual([]);
});

test("a statement with too many parameters is refused, and the answers of others stay theirs", async () => {
  const database = await openPostgres(await freshPostgresUrl(onTestFinished), 1);
  onTestFinished(() => database.close());
  const read = (number: number) => database.rows("select $1::int", [number]);
  for (let round = 0; round < 3; round += 1) await read(round);
  const many = Array.from({ length: 65_534 }, (_, index) => index);
  const list = `select ${many.map((index) => `$${index + 1}`).join(" || ")}`;
  const outcomes = await Promise.allSettled([read(1), read(2), database.rows(list, many), read(3), read(4)]);
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused"))).toEqual([
    [[1]],
    [[2]],
    "refused",
    [[3]],
    [[4]],
  ]);
});

test("what was sent on a connection that is lost is sent on no other", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const other = await openPostgres(url.href, 1);
  onTestFinished(() => other.close());
  await other.script("create table t (n int)");
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 1);
  onTestFinished(() => database.close());
  onTestFinished(between.cut);

  // The first is described before it runs, and the driver keeps the others until it knows the answer.
  const insert = "insert into t values ($1)";
  const lost = database.transaction(async (session) => {
    between.mute();
    const sent = [1, 2, 3].map((number) => session.rows(insert, [number]));
    const settled = Promise.allSettled(sent);
    await between.cut();
    await between.mend();
    await settled;
    await Promise.all(sent);
  });
  await expect(lost).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect.poll(() => database.rows("select 1").catch(() => "lost")).toEqual([[1]]);
  expect(await other.rows("select n from t")).toEqual([]);
});

test.each(bothDatabases)(
  "a statement that fails after its first rows leaves nothing in the next answer on %s",
  async (kind) => {
    const database = await freshDatabase(kind, onTestFinished, 1);
    const failing = "select 1 / (3 - n) from generate_series(1, 5) n";
    const list = "select n from generate_series(1, 3) n";
    const [, sent] = await Promise.allSettled([database.rows(failing), database.rows(list)]);
    expect(sent).toEqual({ status: "fulfilled", value: [[1], [2], [3]] });
    for (const next of [list, "select n from generate_series(1, 0) n", list, list]) {
      await expect(database.rows(failing)).rejects.toThrow();
      const rows = await database.rows(next);
      expect(rows).toEqual(next === list ? [[1], [2], [3]] : []);
      expect(rows[0]).toEqual(next === list ? [1] : undefined);
      await expect(database.rows(failing)).rejects.toThrow();
      expect(await database.transaction((session) => session.rows(next))).toEqual(rows);
    }
    for (const _ of [1, 2]) await expect(database.rows(failing)).rejects.toThrow();
    expect(await database.rows(list)).toEqual([[1], [2], [3]]);
  },
);
