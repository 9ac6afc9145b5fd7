/** What a migration does before and after its transaction, so that this holds nobody up. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { splitPhases } from "../../../runtime/database/migrations/files.ts";
import { bothDatabases, databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const inTurn = databasesInTurn();

const target = { type: "relation", target: "api::tag.tag" };
const files = (relation: string) => ({
  "page/schema.json": schema("page", { best: { ...target, relation } }),
  "tag/schema.json": schema("tag", { name: { type: "string" } }),
});

test.each(bothDatabases)(
  "a column is filled before the transaction, over again after an interruption, and what is written meanwhile counts, on %s",
  async (kind) => {
    const lab = await migrationLab(databases[kind], onTestFinished);
    await lab.change(files("oneToMany"));
    await lab.up();
    await lab.run(`insert into documents values ('a', 'api::tag.tag'), ('b', 'api::tag.tag');
      insert into documents select 'p' || n, 'api::page.page' from generate_series(1, 4) as n;
      insert into pages (document_id, created_at, updated_at, published_at) select 'p' || n, now(), now(), now() from generate_series(1, 4) as n;
      insert into pages_best (version_id, document_id, position) select id, 'a', 1 from pages where document_id <> 'p4';
      insert into pages_best (version_id, document_id, position) select id, 'b', 2 from pages where document_id = 'p1'`);
    const name = await lab.change(files("oneToOne"), ["narrow:pages_best"]);
    const { before, inside } = splitPhases(readFileSync(path.join(lab.migrations, String(name), "up.sql"), "utf8"));
    // Nothing in the transaction keeps readers waiting while content moves.
    expect(inside).not.toContain("add column");
    // Interrupted twice before the transaction: nothing is noted of it, and it is done over again.
    for (const statement of [...before, ...before]) await lab.run(statement);
    await lab.run(`delete from pages_best where version_id = (select id from pages where document_id = 'p2');
      update pages_best set document_id = 'b' where version_id = (select id from pages where document_id = 'p3');
      insert into pages_best (version_id, document_id, position) select id, 'b', 1 from pages where document_id = 'p4'`);
    await lab.up();
    expect(await lab.rows("select document_id, best_document_id from pages order by document_id")).toEqual([
      ["p1", "a"],
      ["p2", null],
      ["p3", "b"],
      ["p4", "b"],
    ]);
    await lab.down();
    expect(await lab.rows("select count(*)::int from pages_best")).toEqual([[3]]);
  },
);

const ROWS = 12_000;
const box = { type: "component", component: "shared.box" };
const boxes = (fields: object, more: object = {}) => ({
  "page/schema.json": schema("page", { title: { type: "string" }, box, ...more }),
  "components/shared/box.json": component({ count: { type: "integer" }, ...fields }),
});
const label = { type: "string" };

/** Pages with a box each, whose count is 0; every tenth has none. */
const fillBoxes = (lab: MigrationLab, rows: number): Promise<void> =>
  lab.run(`insert into documents select 'p' || n, 'api::page.page' from generate_series(1, ${rows}) as n;
    insert into pages (document_id, created_at, updated_at, published_at, box) select 'p' || n, now(), now(), now(),
      case when n % 10 = 0 then null else json_build_object('id', n, 'count', 0, 'label', 'label ' || n) end
    from generate_series(1, ${rows}) as n`);

const upOf = (lab: MigrationLab, name: string | undefined) =>
  splitPhases(readFileSync(path.join(lab.migrations, String(name), "up.sql"), "utf8"));

/** What is left of the preparation of any migration. */
const leftovers = (lab: MigrationLab) =>
  lab.rows(
    `select attname from pg_attribute where attname like 'galley_next%' and not attisdropped
      union select tgname from pg_trigger where tgname like '%galley_next%'
      union select proname from pg_proc where proname like 'galley_next%' or proname like 'galley_entry%'`,
  );

test.each(bothDatabases)(
  "entries are made before the transaction, from where an interruption left them, and late ones over, on %s",
  async (kind) => {
    const lab = await migrationLab(databases[kind], onTestFinished);
    await lab.change(boxes({ label }));
    await lab.up();
    const rows = kind === "postgres" ? ROWS : 30;
    await fillBoxes(lab, rows);
    const name = await lab.change(boxes({ name: { ...label, renamedFrom: "label" } }));
    const { before } = upOf(lab, name);
    // The first lot alone, twice, and then all of them.
    const first = before.map((each) => each.replace("exit when galley_to is null", "exit when galley_from > 0"));
    for (const statement of [...(kind === "postgres" ? [...first, ...first] : []), ...before]) await lab.run(statement);
    await lab.run(`update pages set box = '{"id":1,"count":7,"label":"late"}' where document_id = 'p1';
      update pages set box = null where document_id = 'p2';
      update pages set box = '{"id":10,"count":8,"label":"first"}' where document_id = 'p10';
      update pages set title = 'other' where document_id = 'p3';
      delete from pages where document_id = 'p4';
      insert into documents values ('new', 'api::page.page');
      insert into pages (document_id, created_at, updated_at, published_at, box)
        values ('new', now(), now(), now(), '{"id":99,"count":9,"label":"new"}')`);
    await lab.up();
    const stored = (id: string) =>
      lab.rows(`select box ->> 'name', box ->> 'count' from pages where document_id = '${id}'`);
    expect(await Promise.all(["p1", "p2", "p3", "p4", "p5", "p10", "new"].map(stored))).toEqual([
      [["late", "7"]],
      [[null, null]],
      [["label 3", "0"]],
      [],
      [["label 5", "0"]],
      [["first", "8"]],
      [["new", "9"]],
    ]);
    expect(await lab.rows("select count(*)::int from pages where box ->> 'label' is not null")).toEqual([[0]]);
    expect(await leftovers(lab)).toEqual([]);
    await lab.down();
    expect(await lab.rows("select count(*)::int from pages where box ->> 'label' is not null")).toEqual([
      [rows - rows / 10],
    ]);
    expect(await leftovers(lab)).toEqual([]);
  },
);

test("what is written to entries while they are made is kept, and what was given up is cleared away", async () => {
  const lab = await migrationLab(databases.postgres, onTestFinished);
  await lab.change(boxes({ label }));
  await lab.up();
  await fillBoxes(lab, ROWS);
  const given = await lab.change(boxes({}), ["drop:shared.box.label"]);
  for (const statement of upOf(lab, given).before) await lab.run(statement);
  expect(await leftovers(lab)).not.toEqual([]);
  rmSync(path.join(lab.migrations, String(given)), { recursive: true });
  await lab.change(boxes({ name: { ...label, renamedFrom: "label" } }));
  const stop = new AbortController();
  let acknowledged = 0;
  const write = async () => {
    for (let row = 1; !stop.signal.aborted; row = (row % ROWS) + 1) {
      if (row % 10 === 0) continue;
      await lab.rows(
        `update pages set box = jsonb_set(box::jsonb, '{count}', to_jsonb((box ->> 'count')::int + 1))::json where id = ${row}`,
      );
      acknowledged++;
    }
  };
  const writing = Promise.all([write(), write()]);
  try {
    await lab.up();
    const done = acknowledged;
    expect(done).toBeGreaterThan(0);
  } finally {
    stop.abort();
    await writing;
  }
  expect(await lab.rows("select sum((box ->> 'count')::int)::int, count(box ->> 'name')::int from pages")).toEqual([
    [acknowledged, ROWS - ROWS / 10],
  ]);
  expect(await leftovers(lab)).toEqual([]);
});

const pages = (localized: boolean, attributes: object, fields: object) => ({
  "page/schema.json": schema("page", { box, ...attributes }, { pluginOptions: { i18n: { localized } } }),
  "components/shared/box.json": component(fields),
});

test("readers go on while late entries are made or locales go, and the header says where they do not", async () => {
  const lab = await migrationLab(databases.postgres, onTestFinished);
  const title = { type: "string" };
  await lab.change(pages(true, { title }, { label }));
  await lab.up();
  /** What the migration's transaction does before the table is closed to readers, and what the header says of it. */
  const open = async (files: Parameters<typeof lab.change>[0], allow: readonly string[] = []) => {
    const name = await lab.change(files, allow);
    const text = readFileSync(path.join(lab.migrations, String(name), "up.sql"), "utf8");
    await lab.up();
    const [before = ""] = splitPhases(text).inside.split(/^alter table "pages"|^drop index|^select galley_take/m);
    return { before, locks: /^-- Locks: ((?:.|\n)*)\n-- Loses/m.exec(text)?.[1] };
  };
  const entries = await open(pages(true, { title, more: title }, { name: { ...label, renamedFrom: "label" } }));
  expect(entries.before).toMatch(
    /^update "pages"\nset "galley_next_.*\nwhere "galley_next_\w+" is null and "box" is not null;$/m,
  );
  expect(entries.locks).toBe("pages: everything, for a moment");
  const locales = await open(pages(false, { title, more: title }, { name: label }), ["drop:page.locale"]);
  expect(locales.before).toContain("delete from");
  expect(locales.locks).toMatch(/^pages: writes, while content is moved/);
  const both = await open(
    pages(
      false,
      { head: { ...title, renamedFrom: "title" }, more: title },
      { label: { ...label, renamedFrom: "name" } },
    ),
  );
  expect(both.before).not.toContain("galley_next");
  expect(both.locks).not.toContain("while");
});

const drafts = (draftAndPublish: boolean) => ({
  ...files("oneToMany"),
  "page/schema.json": schema("page", { best: { ...target, relation: "oneToMany" } }, { options: { draftAndPublish } }),
});

test.each(inTurn())(
  "drafts are made and deleted some thousand at a time, and the rest of them after an interruption, on %s",
  async (kind) => {
    const lab = await migrationLab(databases[kind], onTestFinished);
    await lab.change(drafts(false));
    await lab.up();
    await lab.run(`insert into documents values ('a', 'api::tag.tag');
      insert into documents select 'p' || n, 'api::page.page' from generate_series(1, ${ROWS}) as n;
      insert into pages (document_id, created_at, updated_at, published_at) select 'p' || n, now(), now(), now() from generate_series(1, ${ROWS}) as n;
      insert into pages_best (version_id, document_id, position) select id, 'a', 1 from pages;
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not yet'; end $$;
      create trigger refuse before insert on pages for each row when (new.document_id = 'p${ROWS}') execute function refuse()`);
    await lab.change(drafts(true));
    const made = () =>
      lab.rows(`select count(*)::int, count(distinct document_id)::int, (select count(*)::int from pages_best)
        from pages where published_at is null`);
    await expect(lab.up()).rejects.toThrow("not yet");
    expect(await made()).toEqual([[10_000, 10_000, ROWS + 10_000]]);
    await lab.run("drop trigger refuse on pages");
    await lab.up();
    expect(await made()).toEqual([[ROWS, ROWS, 2 * ROWS]]);

    await lab.change(drafts(false), ["publish:page"]);
    await lab.run(
      "create trigger refuse before delete on pages for each row when (old.document_id = 'p12000') execute function refuse()",
    );
    await expect(lab.up()).rejects.toThrow("not yet");
    expect(await made()).toEqual([[4000, 4000, ROWS + 4000]]);
    // A process of the older build goes on meanwhile, although it should not: no draft is left to show as a document.
    await lab.run(`drop trigger refuse on pages; drop function refuse;
      delete from pages where document_id = 'p11000' and published_at is not null;
      insert into documents values ('late', 'api::page.page');
      insert into pages (document_id, created_at, updated_at) values ('late', now(), now())`);
    await lab.up();
    expect(await made()).toEqual([[0, 0, ROWS]]);
    expect(await lab.rows("select count(*)::int from pages")).toEqual([[ROWS + 1]]);
  },
);
