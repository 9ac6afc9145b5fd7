/** Columns that get another type, or other values, by another column that is filled beside them before the transaction. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { splitPhases } from "../../../runtime/database/migrations/files.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const before = {
  size: { type: "string" },
  views: { type: "integer", unique: true },
  state: { type: "enumeration", enum: ["new", "old"] },
};
const after = {
  size: { type: "integer", convert: "size::integer" },
  views: { type: "biginteger", unique: true },
  state: { type: "enumeration", enum: ["fresh", "old"], renamedValues: { fresh: "new" } },
};
const files = (attributes: object) => ({ "page/schema.json": schema("page", attributes) });

const insert = (id: string, size: string, views: number, state: string): string =>
  `insert into documents values ('${id}', 'api::page.page');
   insert into pages (document_id, created_at, updated_at, published_at, size, views, state)
     values ('${id}', now(), now(), now(), '${size}', ${views}, '${state}');`;

const found = (lab: MigrationLab) =>
  lab.rows("select document_id, size::text, views::text, state from pages order by 1");

/** A project whose change is generated and not applied. */
const changed = async (kind: keyof typeof databases) => {
  const lab = await migrationLab(databases[kind], onTestFinished);
  await lab.change(files(before));
  await lab.up();
  await lab.run(insert("a", "1", 10, "new") + insert("b", "2", 20, "old"));
  const name = String(await lab.change(files(after)));
  const sql = (file: string) => readFileSync(path.join(lab.migrations, name, file), "utf8");
  return { lab, name, sql };
};

/** Columns, triggers and indexes that were made for a migration. */
const LEFT = `select (select count(*)::int from pg_attribute where attrelid = 'pages'::regclass and attname like 'galley\\_next%' and not attisdropped),
  (select count(*)::int from pg_trigger where tgname like '%galley\\_next%'),
  (select count(*)::int from pg_class where relname like 'galley\\_next%' and relkind = 'i')`;

test.each(inTurn())(
  "values are converted before the transaction, and what is written meanwhile too, on %s",
  async (kind) => {
    const { lab, sql } = await changed(kind);
    const { before: statements, inside } = splitPhases(sql("up.sql"));
    await lab.run("comment on column pages.size is 'in litres'");
    expect(inside).not.toMatch(/alter column .* type/);
    expect(sql("up.sql")).not.toContain("rewritten");
    // Interrupted before the transaction, twice; then others write as they knew it.
    for (const statement of [...statements, ...statements]) await lab.run(statement);
    await lab.run(`${insert("c", "3", 30, "new")} update pages set size = '7', state = 'new' where document_id = 'b'`);
    expect(await found(lab)).toEqual([
      ["a", "1", "10", "new"],
      ["b", "7", "20", "new"],
      ["c", "3", "30", "new"],
    ]);
    await lab.up();
    const converted = [
      ["a", "1", "10", "fresh"],
      ["b", "7", "20", "fresh"],
      ["c", "3", "30", "fresh"],
    ];
    expect(await found(lab)).toEqual(converted);
    expect(await lab.rows(LEFT)).toEqual([[0, 0, 0]]);
    const described =
      "select attname, col_description(attrelid, attnum) from pg_attribute where attrelid = 'pages'::regclass";
    expect(await lab.rows(`${described} and attname in ('size', 'views') order by 1`)).toEqual([
      ["size", "in litres"],
      ["views", null],
    ]);
    await expect(lab.run("update pages set views = 10")).rejects.toThrow("pages_views_unique");
    await lab.down();
    expect(await found(lab)).toEqual(converted.map(([id, size, views]) => [id, size, views, "new"]));
    await lab.up();
    expect(await found(lab)).toEqual(converted);
  },
);

test("what others write meanwhile and does not convert is theirs to write, and stops the migration by its row", async () => {
  const { lab, sql } = await changed("postgres");
  for (const statement of splitPhases(sql("up.sql")).before) await lab.run(statement);
  await lab.run(insert("c", "much", 30, "old"));
  await expect(lab.up()).rejects.toThrow(
    /invalid input syntax for type integer: "much" \(pages\.size, row 3 of document c\)/,
  );
  await lab.run("update pages set size = '5' where document_id = 'c'");
  await lab.up();
  expect((await found(lab))[2]).toEqual(["c", "5", "30", "old"]);
});

test("what was made for a migration that is not there any more is cleared away", async () => {
  const { lab, name, sql } = await changed("postgres");
  for (const statement of splitPhases(sql("up.sql")).before) await lab.run(statement);
  // Earlier versions called triggers as their functions.
  await lab.run(`do $$ declare made name; begin
    for made in select tgname from pg_trigger where tgname like '~galley\\_next%' loop
      execute format('alter trigger %I on pages rename to %I', made, ltrim(made, '~'));
    end loop; end $$`);
  rmSync(path.join(lab.migrations, name), { recursive: true });
  await lab.change(files({ ...before, more: { type: "string" } }));
  await lab.up();
  expect(await lab.rows(LEFT)).toEqual([[0, 0, 0]]);
  expect((await found(lab))[0]).toEqual(["a", "1", "10", "new"]);
});

test("indexes, checks and rights that somebody has added to a column stay", async () => {
  const { lab } = await changed("postgres");
  await lab.run(`create index mine on pages (size) where size is not null;
    alter table pages add constraint positive check (views > 0)`);
  await lab.up();
  expect((await found(lab))[0]).toEqual(["a", "1", "10", "fresh"]);
  expect(await lab.rows("select indexdef from pg_indexes where indexname = 'mine'")).toEqual([
    ["CREATE INDEX mine ON public.pages USING btree (size) WHERE (size IS NOT NULL)"],
  ]);
  await expect(lab.run("update pages set views = -1 where document_id = 'a'")).rejects.toThrow("positive");
  expect(await lab.rows(LEFT)).toEqual([[0, 0, 0]]);
  await lab.down();
  expect((await found(lab))[0]).toEqual(["a", "1", "10", "new"]);
});

/** Pages that hold a link with these fields. */
const link = (...names: string[]) => ({
  "page/schema.json": schema("page", { link: { type: "component", component: "shared.link" } }),
  "components/shared/link.json": component(Object.fromEntries(names.map((name) => [name, { type: "string" }]))),
});

test.each(inTurn())(
  "views, generated columns and triggers of one's own on a component's column stay, on %s",
  async (kind) => {
    const lab = await migrationLab(databases[kind], onTestFinished);
    await lab.change(link("url", "label"));
    await lab.up();
    await lab.run(`insert into documents values ('a', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, link) values ('a', now(), now(), now(), '{"id":1,"url":"x","label":"y"}');
    create view addresses as select document_id, link ->> 'url' as url from pages;
    alter table pages add column words text generated always as (link ->> 'url') stored`);
    await lab.change(link("url"), ["drop:shared.link.label"]);
    await lab.up();
    expect(await lab.rows("select link::text, words, url from pages join addresses using (document_id)")).toEqual([
      ['{ "id" : 1, "url" : "x" }', "x", "x"],
    ]);
    expect(await lab.rows(LEFT)).toEqual([[0, 0, 0]]);
    await lab.down();
    expect(await lab.rows("select url from addresses")).toEqual([["x"]]);
  },
);

test.each(inTurn())(
  "what a trigger of one's own makes of a value meanwhile is what is converted, on %s",
  async (kind) => {
    const { lab, sql } = await changed(kind);
    await lab.run(`create function sized() returns trigger language plpgsql as $$ begin new.size := new.size || '0'; return new; end $$;
    create trigger sized before insert on pages for each row execute function sized()`);
    for (const statement of splitPhases(sql("up.sql")).before) await lab.run(statement);
    await lab.run(insert("c", "3", 30, "new"));
    await lab.up();
    expect((await found(lab))[2]).toEqual(["c", "30", "30", "fresh"]);
    expect(await lab.rows(LEFT)).toEqual([[0, 0, 0]]);
  },
);

test("a conversion has a word on rows without a value, too", async () => {
  const lab = await migrationLab(databases.postgres, onTestFinished);
  await lab.change(files({ size: { type: "string" }, other: { type: "string" } }));
  await lab.up();
  await lab.run(`insert into documents values ('a', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, other) values ('a', now(), now(), now(), 'x')`);
  await lab.change(
    files({ size: { type: "integer", convert: "coalesce(size::integer, 0)" }, other: { type: "string" } }),
  );
  await lab.up();
  expect(await lab.rows("select size from pages")).toEqual([[0]]);
});

const both = (type: string) => ({
  "page/schema.json": schema("page", { price: { type } }),
  "note/schema.json": schema("note", { price: { type } }),
});

test("two types change attributes of one name alike", async () => {
  const lab = await migrationLab(databases.pglite, onTestFinished);
  await lab.change(both("integer"));
  await lab.up();
  await lab.run(
    ["page", "note"]
      .map(
        (name) => `insert into documents values ('${name}', 'api::${name}.${name}');
  insert into ${name}s (document_id, created_at, updated_at, published_at, price) values ('${name}', now(), now(), now(), 7);`,
      )
      .join("\n"),
  );
  await lab.change(both("string"));
  await lab.up();
  expect(await lab.rows("select p.price::text, n.price::text from pages p, notes n")).toEqual([["7", "7"]]);
  await lab.down();
  expect(await lab.rows("select p.price::text, n.price::text from pages p, notes n")).toEqual([["7", "7"]]);
});
