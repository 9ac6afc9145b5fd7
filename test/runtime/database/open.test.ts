/** Which databases are opened, and which are refused: content must not land where nobody looks for it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { workspace } from "../../support/workspace.ts";

/** Opens the database that the environment names, in an empty folder, as a server in production does. */
const open = async (environment: Readonly<Record<string, string>>, root = workspace()) => {
  const database = await openDatabase(await loadConfig(root, environment), root, "cms test", true);
  onTestFinished(() => database.close());
  return database;
};

test.each([
  [{ DATABASE_CLIENT: "mysql" }, 'DATABASE_CLIENT (database.client) is "mysql"'],
  [{ DATABASE_CLIENT: "sqlite", DATABASE_EMBEDDED: "true" }, 'is "sqlite"'],
  [{ DATABASE_CLIENT: "better-sqlite3", DATABASE_HOST: "db.example" }, 'is "better-sqlite3"'],
  [{ DATABASE_URL: "mysql://me:hidden@db.example/site" }, 'DATABASE_URL (database.url) is an address of "mysql"'],
  [{ DATABASE_URL: "file:./data.db" }, 'is an address of "file"'],
  [{ DATABASE_URL: "hidden" }, "is no address"],
  [{}, "In production the embedded database has to be asked for"],
  [{ DATABASE_CLIENT: "postgres" }, "DATABASE_EMBEDDED=true"],
])("with %j nothing is opened, and the message names what is wrong", async (environment, message) => {
  const root = workspace();
  const opening = open(environment, root);
  await expect(opening).rejects.toThrow(message);
  await expect(opening).rejects.not.toThrow("hidden");
  expect(existsSync(path.join(root, ".cms"))).toBe(false);
});

test("the embedded database opens in production where it is asked for", async () => {
  const database = await open({ DATABASE_EMBEDDED: "true" });
  expect(await database.rows("select 1")).toEqual([[1]]);
});

test("a database of Strapi is recognised, and left as it was", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const strapi = await openPostgres(url, 1);
  onTestFinished(() => strapi.close());
  await strapi.script("create table strapi_core_store_settings (id serial primary key); create table articles ();");
  await expect(open({ DATABASE_URL: url })).rejects.toThrow(/belongs to Strapi.*Create an empty database/);
  const tables = await strapi.rows("select count(*)::int from pg_tables where schemaname = 'public'");
  expect(tables).toEqual([[2]]);
});
