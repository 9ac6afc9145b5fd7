/** Snapshots of the embedded database: what commits within longer work counts at once. */
import { expect, onTestFinished, test } from "vitest";
import { overPglite } from "../../../runtime/database/embedded/pglite.ts";
import { freshDatabase } from "../../support/database.ts";

test("each statement of work that has the database to itself makes what is stored out of date, as it is committed", async () => {
  const database = await freshDatabase("pglite", onTestFinished);
  const snapshots: unknown[] = [];
  const note = async (): Promise<void> => void snapshots.push(await database.snapshot?.());
  await note();
  await database.exclusively(async (session) => {
    await session.script("create table t (n int)");
    await note();
    await session.rows("insert into t values (1)");
    await note();
    await session.transaction((inner) => inner.rows("insert into t values (2)"));
    await note();
  });
  expect(new Set(snapshots).size).toBe(4);
});

test("who has lost the database to another process is not told a snapshot", async () => {
  const engine: Parameters<typeof overPglite>[0] = Object.create(null);
  const database = overPglite(engine, {
    release: async () => {},
    confirm() {
      throw new Error("The lock is lost");
    },
  });
  await expect(database.snapshot?.()).rejects.toThrow("The lock is lost");
});
