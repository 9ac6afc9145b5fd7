/** What PostgreSQL refuses for reasons that pass is unavailable, not broken. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { bothDatabases, freshDatabase, freshPostgresUrl } from "../../support/database.ts";

const failing =
  "create function fail(code text) returns void language plpgsql as $$ begin raise exception using errcode = code; end $$";

const databases = new Map<string, Database>();
for (const kind of bothDatabases) {
  const database = await freshDatabase(kind);
  await database.script(failing);
  databases.set(kind, database);
}

test.each(
  bothDatabases.flatMap((kind) =>
    ["57014", "53100", "53200", "58030", "25006", "40001", "55P03"].map((code) => [code, kind] as const),
  ),
)("%s is unavailable on %s", async (code, kind) => {
  const database = databases.get(kind);
  const fail = async (session: Pick<Database, "rows"> | undefined) => session?.rows("select fail($1)", [code]);
  await expect(fail(database)).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect(database?.transaction(fail)).rejects.toBeInstanceOf(ServiceUnavailableError);
  expect(await database?.rows("select 1")).toEqual([[1]]);
});

test.each(bothDatabases)(
  "a later statement that fails because of the first tells what the first did, on %s",
  async (kind) => {
    const failed = databases.get(kind)?.transaction(async (session) => {
      const first = session.rows("select fail($1)", ["57014"]);
      first.catch(() => {});
      // The code looks at the later one first.
      await session.rows("select 1 where $1", [true]).catch(async (error: unknown) => {
        await Promise.allSettled([first]);
        throw error;
      });
      await first;
    });
    await expect(failed).rejects.toMatchObject({ status: 503, message: "The database took too long" });
  },
);

test.each(bothDatabases)("what code of a project throws in a transaction stays what it is, on %s", async (kind) => {
  for (const code of ["ECONNRESET", "ETIMEDOUT", "57014", "40001"]) {
    const thrown = Object.assign(new Error("a service of others hung up"), { code });
    const failed = databases.get(kind)?.transaction(async (session) => {
      await session.rows("select 1");
      throw thrown;
    });
    await expect(failed).rejects.toBe(thrown);
  }
});

test("after a failover, writes go to the server that takes them", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = await Promise.all([openPostgres(url, 2), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  await other.script("create table t (n int)");
  const name = new URL(url).pathname.slice(1);
  const write = () => database.transaction((session) => session.rows("insert into t values (1) returning n"));
  expect(await write()).toEqual([[1]]);

  // Each session learns when it begins whether its server takes writes, as after a switch of servers.
  await other.script(`alter database ${name} set default_transaction_read_only = on`);
  await other.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [name],
  );
  await expect.poll(() => write().catch((error: unknown) => String(error))).toContain("takes no writes");
  await other.script(`set default_transaction_read_only = off`);
  await other.script(`alter database ${name} set default_transaction_read_only = off`);
  await expect.poll(() => write().catch((error: unknown) => String(error))).toEqual([[1]]);
});
