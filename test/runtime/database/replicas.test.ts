import { expect, onTestFinished, test } from "vitest";
import application from "../../../generated/index.ts";
import { system } from "../../../runtime/access/caller.ts";
import { createHonoApp } from "../../../runtime/app/server.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { withReplicas } from "../../../runtime/database/postgres/replicas.ts";
import { freshPostgresUrl, recording } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { testServices } from "../../support/services.ts";

const migrated = async (): Promise<string> => {
  const url = await freshPostgresUrl(onTestFinished);
  const database = await open({ url });
  await migrate(database, "generated/migrations");
  return url;
};

const open = async (database: { url: string; replicas?: string[] }): Promise<Database> => {
  const opened = await openDatabase(configSchema.parse({ database }), ".");
  onTestFinished(() => opened.close());
  return opened;
};

/** The example on `database`, called by the application itself. */
const example = async (database: Database) => {
  const services = await testServices(application, { database });
  const app = createHonoApp({ ...services, auth: { ...services.auth, authenticate: () => system } }, application);
  const request = async (method: string, path: string, body?: object) => {
    const answer = await app.request(path, {
      method,
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.json();
  };
  return {
    create: (name: string) => request("POST", "/api/tags", { data: { name, slug: name } }),
    list: async () => names((await request("GET", "/api/tags?sort=name")).data),
    query: async () =>
      names((await request("POST", "/graphql", { query: "{ tags { data { attributes { name } } } }" })).data.tags.data),
  };
};

const names = (rows: readonly { name?: string; attributes?: { name: string } }[]): (string | undefined)[] =>
  rows.map(({ name, attributes }) => name ?? attributes?.name);

test("replicas answer what writes nothing, and the primary everything else", async () => {
  const [primary, copy] = [await migrated(), await migrated()];
  // Databases that are not the same show which one has answered.
  await (await example(await open({ url: copy }))).create("copy");

  const { create, list, query } = await example(await open({ url: primary, replicas: [copy] }));
  expect(await create("original")).toMatchObject({ data: { name: "original" } });
  expect(await list()).toEqual(["copy"]);
  expect(await query()).toEqual(["copy"]);
  expect(await (await example(await open({ url: primary }))).list()).toEqual(["original"]);
});

test("the primary answers for a replica that is away, and every replica has its turn", async () => {
  const [primary, copy] = [await migrated(), await migrated()];
  const gone = new URL(copy);
  gone.port = String(await freePort());
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));

  const { database: recorded, statements } = recording(await open({ url: primary }));
  const database = withReplicas(recorded, [copy, gone.href], 2);
  onTestFinished(() => database.close());
  const read = () => database.reader?.rows("select current_database()");
  const answers = [await read(), await read(), await read(), await read()].map((rows) => rows?.[0]?.[0]);
  expect(answers.toSorted()).toEqual(
    [copy, copy, primary, primary].map((url) => new URL(url).pathname.slice(1)).toSorted(),
  );
  expect(statements).toHaveLength(2);
  expect(warnings.map(({ message }) => message)).toEqual([
    `The replica ${gone.host}${gone.pathname} does not answer: the primary reads instead`,
  ]);
});

test("the primary answers what a replica cannot, because it is behind or was in the way", async () => {
  const [primary, copy] = await Promise.all([freshPostgresUrl(onTestFinished), freshPostgresUrl(onTestFinished)]);
  const original = await open({ url: primary });
  await original.script("create table new_table (n int); insert into new_table values (1)");
  await original.script("create function conflict() returns int language sql as 'select 1'");
  await (
    await open({ url: copy })
  ).script(
    `create function conflict() returns int language plpgsql as
       $$ begin raise exception using errcode = '40001'; end $$`,
  );
  const database = withReplicas(original, [copy], 1);
  onTestFinished(() => database.close());
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));

  expect(await database.reader?.rows("select conflict()")).toEqual([[1]]);
  expect(await database.reader?.rows("select current_database()")).toEqual([[new URL(copy).pathname.slice(1)]]);
  expect(await database.reader?.rows("select n from new_table")).toEqual([[1]]);
  await expect
    .poll(() => warnings.map(({ message }) => message))
    .toEqual([expect.stringContaining("lacks what a migration has changed: the primary reads instead")]);
  await expect(database.reader?.rows("select nothing from nowhere")).rejects.toThrow('"nowhere" does not exist');
});
