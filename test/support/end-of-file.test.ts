import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "./database.ts";
import { endFile } from "./end-of-file.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase("pglite");
});

test("a database that a hook opens is closed after the last test of the file", async () => {
  expect(await database.rows("select 1")).toEqual([[1]]);
  await endFile();
  await expect(database.rows("select 1")).rejects.toThrow("PGlite is closed");
});
