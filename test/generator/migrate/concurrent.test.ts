/** Content is read and written while migrations run. `npm run migration-locks` measures the waits on a big table. */
import { expect, onTestFinished, test } from "vitest";
import { readMigrations, splitPhases } from "../../../runtime/database/migrations/files.ts";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const views = { type: "integer" };
const text = { type: "string" };
const many = { type: "relation", relation: "oneToMany", target: "api::thing.thing" };
const one = { type: "relation", relation: "oneToOne", target: "api::thing.thing" };
const box = { type: "component", component: "shared.box" };

const files = (attributes: object, fields: object = { a: text }) => ({
  "thing/schema.json": schema("thing", { views, ...attributes }),
  "components/shared/box.json": component(fields),
});

const changes: readonly (readonly [attributes: object, fields?: object, allow?: readonly string[]])[] = [
  [{ title: { ...text, unique: true } }],
  [{ title: { type: "text", unique: true }, other: one }],
  [{ name: { type: "text", renamedFrom: "title" }, other: many, box }],
  [{ name: { type: "text" }, other: many, box }, { b: { ...text, renamedFrom: "a" } }],
  [{ other: many, box }, { b: text }, ["drop:thing.name"]],
];

test("no acknowledged write is lost while every kind of migration runs", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({}));
  await lab.up();
  await lab.run(`
    insert into documents select 'd' || n, 'api::thing.thing' from generate_series(1, 5000) as n;
    insert into things (document_id, created_at, updated_at, published_at, views)
      select 'd' || n, now(), now(), now(), 0 from generate_series(1, 5000) as n;`);
  const stop = new AbortController();
  let acknowledged = 0;
  const write = async () => {
    for (let row = 1; !stop.signal.aborted; row = (row % 5000) + 1) {
      await database.rows("update things set views = views + 1 where id = $1", [row]);
      acknowledged++;
      await database.rows("select views from things where id = $1", [row]);
    }
  };
  const writing = Promise.all([write(), write()]);
  try {
    for (const [attributes, fields, allow] of changes) {
      expect(await lab.change(files(attributes, fields), allow)).toBeDefined();
      const before = acknowledged;
      await lab.up();
      await expect.poll(() => acknowledged).toBeGreaterThan(before);
    }
  } finally {
    stop.abort();
    await writing;
  }
  expect(await lab.rows("select sum(views)::int from things")).toEqual([[acknowledged]]);
});

test("what is being written while a relation moves moves too", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ other: one }));
  await lab.up();
  await lab.run(`
    insert into documents select 'd' || n, 'api::thing.thing' from generate_series(1, 3) as n;
    insert into things (document_id, created_at, updated_at, published_at, other_document_id)
      select 'd' || n, now(), now(), now(), 'd1' from generate_series(1, 3) as n;`);
  await lab.change(files({ other: many }));
  const waiting =
    "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  let migrated: Promise<unknown> | undefined;
  await database.transaction(async (session) => {
    await session.rows("update things set other_document_id = 'd2' where document_id = 'd3'");
    migrated = lab.up();
    await expect.poll(() => database.rows(waiting)).toEqual([[1]]);
  });
  await migrated;
  const links = "select v.document_id, l.document_id from things_other l join things v on v.id = version_id order by 1";
  expect(await lab.rows(links)).toEqual([
    ["d1", "d1"],
    ["d2", "d1"],
    ["d3", "d2"],
  ]);
});

test("new indexes and checks of old rows stay out of the transaction", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ title: text }));
  await lab.up();
  await lab.change(files({ title: { ...text, unique: true }, other: one }));
  const { inside, outside } = splitPhases(readMigrations(lab.migrations).at(-1)?.up ?? "");
  expect(inside).not.toMatch(/create (unique )?index/);
  expect(outside.filter((sql) => /create (unique )?index/.test(sql))).not.toHaveLength(0);
  for (const sql of outside) if (/index/.test(sql)) expect(sql).toContain("concurrently");
});

test("an index that goes serves until the new ones are built", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ title: { ...text, unique: true } }));
  await lab.up();
  await lab.change(files({ title: text, name: { ...text, unique: true } }));
  const { inside, outside } = splitPhases(readMigrations(lab.migrations).at(-1)?.up ?? "");
  expect(inside).not.toContain("drop index");
  const built = outside.findIndex((sql) => sql.startsWith('create unique index concurrently "things_name_unique"'));
  expect(built).toBeGreaterThan(-1);
  expect(outside.slice(built + 1)).toContain('drop index concurrently if exists "things_title_unique"');
  await lab.up();
});
