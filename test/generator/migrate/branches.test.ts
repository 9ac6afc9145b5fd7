/** A database for development that follows the branch that is checked out. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { applyMigrations } from "../../../generator/commands/dev/migrations.ts";
import { openSources } from "../../../generator/commands/generate/project.ts";
import { runRebase } from "../../../generator/commands/migrate/rebase.ts";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { followedProject } from "../../support/followed-project.ts";
import { schema } from "../../support/migration-lab.ts";

const project = await followedProject();
const { database, root, git, save, round, checkout } = project;
const text = { type: "string" };
const integer = { type: "integer" };
const list = { type: "component", component: "shared.part", repeatable: true };
const zone = { type: "dynamiczone", components: ["shared.part", "shared.quote"] };
const quotes = { ...zone, components: ["shared.quote"] };
const component = (attributes: object) => ({ collectionName: "parts", info: { displayName: "Part" }, attributes });
const kind = (...values: string[]) => ({ type: "enumeration", enum: values });

const pages = async (columns: string) =>
  (await database.rows(`select ${columns} from pages order by id`)).map((row) =>
    row.map((value) => (typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value)),
  );

const page = (attributes: object, options: object = {}) => schema("page", { title: text, ...attributes }, options);

test("what each branch writes is there when it is checked out, and nothing stops at what only the other one knows", async () => {
  const shared = {
    "components/shared/part.json": component({ word: text }),
    "components/shared/quote.json": component({ word: text }),
    "page/schema.json": page({
      kind: kind("a", "b"),
      size: integer,
      list,
      zone: quotes,
    }),
  };
  await save(shared);
  project.commit();
  await database.script(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, title, kind, size, list)
    values ('p1', now(), now(), now(), 'One', 'a', 1, '[{"id": 1, "word": "x"}]'), ('p2', now(), now(), now(), 'Two', 'b', 2, null)`);

  await checkout("-b", "left");
  await save(
    {
      "components/shared/part.json": component({ word: text, more: text }),
      "components/shared/quote.json": component({ word: text }),
      "note/schema.json": schema("note", {
        title: text,
        pages: { type: "relation", relation: "oneToMany", target: "api::page.page" },
      }),
      "page/schema.json": page({
        kind: kind("a", "b", "c"),
        size: text,
        list,
        zone,
        extra: { ...text, default: "d", required: true },
      }),
    },
    ["narrow:page.size"],
  );
  project.commit();
  await database.script(`
    update pages set kind = 'c', size = 'many', extra = 'e', list = '[{"id": 1, "word": "x", "more": "m"}, {"id": 2, "more": "n"}]',
      zone = '[{"__component": "shared.part", "id": 3, "more": "z"}, {"__component": "shared.quote", "id": 4, "word": "q"}]' where document_id = 'p1';
    insert into documents values ('n1', 'api::note.note');
    insert into notes (document_id, created_at, updated_at, published_at, title) values ('n1', now(), now(), now(), 'Note');
    insert into notes_pages (version_id, document_id, position) select id, 'p2', 1 from notes`);

  await checkout("main");
  expect(await pages("kind, size, list, zone")).toEqual([
    [null, null, [{ id: 1, word: "x" }, { id: 2 }], [{ __component: "shared.quote", id: 4, word: "q" }]],
    ["b", 2, null, null],
  ]);
  // Written on main, while the other branch's fields are not there.
  await database.script(`update pages set title = 'Uno', list = '[{"id": 1, "word": "y"}, {"id": 2}, {"id": 5, "word": "new"}]' where document_id = 'p1';
    update pages set size = 3 where document_id = 'p2'`);

  await checkout("left");
  expect(await pages("title, kind, size, extra, list, zone")).toEqual([
    [
      "Uno",
      "c",
      "many",
      "e",
      [
        { id: 1, word: "y", more: "m" },
        { id: 2, more: "n" },
        { id: 5, word: "new" },
      ],
      [
        { __component: "shared.part", id: 3, more: "z" },
        { __component: "shared.quote", id: 4, word: "q" },
      ],
    ],
    ["Two", "b", "3", "d", null, null],
  ]);
  expect(
    await database.rows("select n.title, l.document_id from notes n join notes_pages l on l.version_id = n.id"),
  ).toEqual([["Note", "p2"]]);
  // From left to right, it goes through main, whose type cannot hold the values.
  await checkout("main");
  await checkout("-b", "right");
  await save({ ...shared, "page/schema.json": page({ kind: kind("a", "b"), list, zone: quotes }) }, ["drop:page.size"]);
  project.commit();
  await checkout("left");
  expect(await pages("size")).toEqual([["many"], ["3"]]);
  await checkout("right");
  expect(await pages("title, kind")).toEqual([
    ["Uno", null],
    ["Two", "b"],
  ]);
  await checkout("left");
  expect(await pages("size")).toEqual([["many"], ["3"]]);
  await database.script(`insert into documents values ('n2', 'api::note.note');
    insert into notes (document_id, created_at, updated_at) values ('n2', now(), now())`);
});

test("a merge has what both branches wrote, although its migration does something else than the one that was applied", async () => {
  const word = (attributes: object) => ({
    "word/schema.json": schema("word", { title: text, ...attributes }, { options: { draftAndPublish: true } }),
  });
  await save(word({}), ["drop:page", "drop:shared.part", "drop:note"]);
  project.commit();
  git("branch", "-f", "main");
  await checkout("-b", "mine");
  await save(word({ mine: text }));
  project.commit();
  await database.script(`insert into documents values ('w1', 'api::word.word');
    insert into words (document_id, created_at, updated_at, mine) values ('w1', now(), now(), 'm')`);
  await checkout("main");
  await save(word({ theirs: text }));
  project.commit();
  await database.script("update words set theirs = 't'");
  await checkout("mine");
  expect(git("merge", "main").status).toBe(1);
  await save(word({ mine: text, theirs: text, also: text })).catch(() => {});
  await runRebase(root, {});
  await round();
  expect(await database.rows("select mine, theirs, also from words")).toEqual([["m", "t", null]]);
  expect(project.titles().slice(-2)).toEqual(["add_word_theirs", "add_word_mine_and_add_word_also"]);
  project.commit();
  // Drafts, and what stands in them, come back as well.
  await database.script(`insert into words (document_id, created_at, updated_at, published_at, mine, title)
    values ('w1', now(), now(), now(), 'p', 'public')`);
  await checkout("-b", "bare");
  await save({ "word/schema.json": schema("word", { title: text }) }, [
    "publish:word",
    "drop:word.mine",
    "drop:word.theirs",
    "drop:word.also",
  ]);
  project.commit();
  expect(await database.rows("select title, published_at is null from words")).toEqual([["public", false]]);
  await database.script("update words set title = 'shown'");
  await checkout("mine");
  expect(await database.rows("select title, published_at is null, mine, theirs from words order by 2")).toEqual([
    ["shown", false, "p", null],
    [null, true, "m", "t"],
  ]);
});

test("a merge keeps what the branch has and main has added and removed since, also by mistake", async () => {
  const item = (attributes: object) => ({ "item/schema.json": schema("item", { title: text, ...attributes }) });
  await save(item({}), ["drop:word"]);
  project.commit();
  git("branch", "-f", "main");
  await checkout("-b", "longer");
  await database.script(`insert into documents values ('i1', 'api::item.item');
    insert into items (document_id, created_at, updated_at, published_at) values ('i1', now(), now(), now())`);
  await save(item({ alpha: text }));
  project.commit();
  await database.script("update items set alpha = 'a'");
  await checkout("main");
  await save(item({ alpha: text }));
  expect(await database.rows("select alpha from items")).toEqual([["a"]]);
  await save(item({}), ["drop:item.alpha"]);
  project.commit();
  await checkout("longer");
  git("merge", "main");
  await save(item({ alpha: text })).catch(() => {});
  await runRebase(root, {});
  await round();
  expect(await database.rows("select alpha from items")).toEqual([["a"]]);
  expect(project.titles().slice(-3)).toEqual(["add_item_alpha", "remove_item_alpha", "add_item_alpha"]);
  project.commit();
  await checkout("main");
  await save(item({ gamma: text, alpha: text }));
  expect(await database.rows("select alpha, gamma from items")).toEqual([["a", null]]);
  // Two migrations at once, of which one removes what the next one adds again.
  project.commit();
  git("branch", "earlier");
  await save(item({ gamma: text }), ["drop:item.alpha"]);
  project.commit();
  await save(item({ gamma: text, alpha: text }));
  project.commit();
  for (const branch of ["earlier", "main"]) {
    await checkout(branch);
    expect(await database.rows("select alpha from items")).toEqual([["a"]]);
  }
});

const lists = async () => (await database.rows("select list from items")).map(([value]) => JSON.parse(String(value)));
const store = (...entries: object[]) => database.script(`update items set list = '${JSON.stringify(entries)}'`);

test("fields come back to entries that got other ids, as all do that are published", async () => {
  const part = (attributes: object) => component({ word: text, ...attributes });
  const one = { type: "component", component: "shared.inner" };
  const files = (more: object) => ({
    "components/shared/inner.json": component({ word: text, ...more }),
    "components/shared/part.json": part({ inner: one, ...more }),
    "item/schema.json": schema("item", { title: text, list }),
  });
  await save(files({}), ["drop:item.gamma", "drop:item.alpha"]);
  project.commit();
  await checkout("-b", "more");
  await save(files({ more: text }));
  project.commit();
  await store({ id: 1, more: "a", inner: { id: 2, more: "b" } }, { id: 3, more: "c" });
  await checkout("main");
  await store({ id: 11, word: "w", inner: { id: 12 } }, { id: 13 });
  await checkout("more");
  const all = [
    { id: 11, word: "w", more: "a", inner: { id: 12, more: "b" } },
    { id: 13, more: "c" },
  ];
  expect(await lists()).toEqual([all]);
  await checkout("main");
  // One of them was removed, and another one added.
  await store({ id: 13 }, { id: 14 });
  await checkout("more");
  expect(await lists()).toEqual([[{ id: 13, more: "c" }, { id: 14 }]]);
  await checkout("main");
});

test("in production, on another machine and without down.sql the database stays with its branch", async () => {
  project.commit();
  await checkout("-b", "own");
  const folder = path.join(root, "generated/migrations/20990101000000_own");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "up.sql"), "update items set title = 'own';\n");
  await round();
  project.commit();
  expect(git("checkout", "main").status).toBe(0);
  vi.stubEnv("NODE_ENV", "production");
  await expect(round()).rejects.toThrow(/^applied here, but not among the files: .*20990101000000_own\./);
  vi.stubEnv("NODE_ENV", "test");
  const config = await loadConfig(root);
  const elsewhere = { ...config, database: { ...config.database, url: "postgres://db.example.org/content" } };
  const apply = async () => applyMigrations(await openSources(root, undefined), elsewhere, database, () => true);
  await expect(apply()).rejects.toThrow(/^applied here, but not among the files: .*20990101000000_own\./);
  await expect(round()).rejects.toThrow("20990101000000_own has no down.sql");
  expect(await database.rows("select title from items")).toEqual([["own"]]);
  await checkout("own");
  vi.unstubAllEnvs();
});
