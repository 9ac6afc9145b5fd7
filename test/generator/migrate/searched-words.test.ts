/** The column with the words of a search, which migrations add, compute anew and remove while content is there. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readHistory } from "../../../generator/migrate/history/history.ts";
import { emptySnapshot } from "../../../generator/migrate/snapshot.ts";
import { findDrift } from "../../../generator/migrate/tables/drift.ts";
import { splitPhases } from "../../../runtime/database/migrations/files.ts";
import { migrateDown } from "../../../runtime/database/migrations/migrator.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const text = { type: "string" };
const seo = { type: "component", component: "shared.seo" };
const before = { title: text, state: { type: "enumeration", enum: ["new", "old"] }, seo };

const files = (attributes: object = before, fields: object = { lead: text }, options: object = { search: true }) => ({
  "page/schema.json": schema("page", attributes, { options }),
  "components/shared/seo.json": component(fields),
});

const insert = (id: string, title: string): string =>
  `insert into documents values ('${id}', 'api::page.page');
   insert into pages (document_id, created_at, updated_at, published_at, title, state, seo)
     values ('${id}', now(), now(), now(), '${title}', 'new', '{"id": 1, "lead": "leading", "body": "bodily"}');`;

/** The documents whose words are found. */
const found = async (lab: MigrationLab, words: string) =>
  (
    await lab.rows(`select document_id from pages where galley_words @@ galley_query('', '${words}') order by 1`)
  ).flat();

const COUNTS = `select (select count(*)::int from information_schema.columns where column_name = 'galley_words'),
  (select count(*)::int from pg_trigger where tgname like '~galley%'),
  (select count(*)::int from pg_proc where proname like 'galley\\_keep\\_%')`;

/** A project with one page, without search. */
const filled = async (kind: keyof typeof databases, options: object = {}) => {
  const lab = await migrationLab(databases[kind], onTestFinished);
  await lab.change(files(before, { lead: text }, options));
  await lab.up();
  await lab.run(insert("a", "houses"));
  return lab;
};

test.each(inTurn())(
  "a type that gets a search has the words of its rows, and none on the way back, on %s",
  async (kind) => {
    const lab = await filled(kind);
    const name = String(await lab.change(files()));
    const sql = readFileSync(path.join(lab.migrations, name, "up.sql"), "utf8");
    expect(sql).toContain("-- Older: processes of that build go on while this runs and after it\n");
    expect(sql).toContain("computes pages.galley_words, some hundred rows at a time");
    // The transaction computes nothing.
    for (const statement of splitPhases(sql).inside.split(";\n")) expect(statement).not.toContain('set "galley_words"');
    await lab.up();
    await lab.run(insert("b", "houses") + insert("c", "rivers"));
    expect([await found(lab, "houses"), await found(lab, "lead")]).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
    ]);
    await lab.down();
    expect(await lab.rows(COUNTS)).toEqual([[0, 0, 0]]);
    await lab.run(insert("d", "rivers"));
    await lab.up();
    expect(await found(lab, "rivers")).toEqual(["c", "d"]);
    await lab.change(files(before, { lead: text }, {}));
    await lab.up();
    expect(await lab.rows(COUNTS)).toEqual([[0, 0, 0]]);
    expect(await lab.rows("select count(*)::int from pages")).toEqual([[4]]);
  },
);

test.each(inTurn())("words follow what a migration changes in the texts, forth and back, on %s", async (kind) => {
  const lab = await filled(kind, { search: true });
  expect(await found(lab, "bodily")).toEqual([]);
  // A text in a component, another name, and other values.
  await lab.change(files(before, { lead: text, body: text }));
  await lab.up();
  expect(await found(lab, "bodily")).toEqual(["a"]);
  const { title: _title, ...rest } = before;
  const state = { type: "enumeration", enum: ["fresh", "old"], renamedValues: { fresh: "new" } };
  const headline = { ...text, renamedFrom: "title" };
  await lab.change(files({ headline, ...rest, state }, { lead: text, body: text }));
  await lab.up();
  await lab.run("update pages set headline = 'rivers'");
  for (const [words, documents] of [
    ["rivers", ["a"]],
    ["houses", []],
    ["fresh", ["a"]],
    ["new", []],
  ] as const)
    expect([words, await found(lab, words)]).toEqual([words, documents]);
  // Both together, in one transaction.
  await migrateDown(lab.database, lab.migrations, { count: 2 });
  expect([await found(lab, "rivers"), await found(lab, "new"), await found(lab, "bodily")]).toEqual([["a"], ["a"], []]);
  await lab.run("update pages set title = 'lakes'");
  expect(await found(lab, "lakes")).toEqual(["a"]);
});

test.each(inTurn())("nothing is left of a type that is gone, on %s", async (kind) => {
  const lab = await filled(kind, { search: true });
  const note = { "note/schema.json": schema("note", { text }, { options: { search: true } }) };
  await lab.change({ ...files(), ...note });
  await lab.up();
  expect(await lab.rows(COUNTS)).toEqual([[2, 2, 2]]);
  await lab.down();
  expect(await lab.rows(COUNTS)).toEqual([[1, 1, 1]]);
  await lab.up();
  await lab.change(note, ["drop:page"]);
  await lab.up();
  expect(await lab.rows(COUNTS)).toEqual([[1, 1, 1]]);
});

test.each(inTurn())("another table with the number that one had before a dump changes nothing, on %s", async (kind) => {
  const lab = await filled(kind, { search: true });
  await lab.run(`create table other (id integer, text text, galley_words tsvector);
    do $$ begin
      execute format('alter function %s rename to %I', (select tgfoid::regproc from pg_trigger where tgname = '~galley_words'),
        'galley_keep_' || 'other'::regclass::oid);
    end $$;
    select galley_keep('other', 'galley_words', 'galley_words('''', coalesce("text", ''''), '''', '''', '''')');`);
  await lab.run(insert("b", "houses"));
  expect(await found(lab, "houses")).toEqual(["a", "b"]);
});

test.each(inTurn())(
  "PostgreSQL does not compile what a write computes, which takes it longer than the words, on %s",
  async (kind) => {
    const lab = await filled(kind, { search: true });
    await lab.run(`set local jit = on;
    create table other (id integer, galley_words tsvector);
    select galley_keep('other', 'galley_words', 'to_tsvector(''simple'', "id" || current_setting(''jit''))');
    insert into other values (1);`);
    expect(await lab.rows("select galley_words::text from other")).toEqual([["'1off':1"]]);
  },
);

test("a trigger that somebody has turned off is a difference", async () => {
  const lab = await filled("postgres", { search: true });
  await lab.run("alter table pages disable trigger user");
  const [{ snapshot } = {}] = readHistory(lab.migrations);
  expect(await findDrift(lab.database, snapshot ?? emptySnapshot)).toEqual([
    "column pages.galley_words is not computed from the other columns as it should be",
  ]);
});
