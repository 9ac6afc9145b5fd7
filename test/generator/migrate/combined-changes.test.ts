/** Changes that are safe each for itself, in one migration: names that are used again, shapes and versions that change with them. */
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const database = await freshDatabase("postgres");

const text = { type: "string" };
const box = { type: "component", component: "shared.box" };
const zone = { type: "dynamiczone", components: ["shared.box"] };
const toTags = (relation: string) => ({ type: "relation", relation, target: "api::tag.tag" });

const files = (attributes: object, more: object = {}, fields: object = { words: text }) => ({
  "page/schema.json": schema("page", attributes, more),
  "tag/schema.json": schema("tag", { name: text }),
  "components/shared/box.json": component(fields),
});

const page = (sets: string) => `
  insert into documents values ('p', 'api::page.page'), ('q', 'api::page.page'), ('a', 'api::tag.tag'), ('b', 'api::tag.tag');
  insert into pages (document_id, created_at, updated_at, published_at) values ('p', now(), now(), now()), ('q', now(), now(), now());
  update pages set ${sets} where document_id = 'p';`;

const migrated = async (
  before: Parameters<typeof files>,
  content: string,
  after: Parameters<typeof files>,
  allow: readonly string[] = [],
): Promise<MigrationLab> => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files(...before));
  await lab.up();
  await lab.run(content);
  await lab.change(files(...after), allow);
  await lab.up();
  return lab;
};

const entry = '{"id":1,"words":"hello"}';

test("a component becomes a zone under another name, while its old name is given to something else", async () => {
  const lab = await migrated([{ part: box }], page(`part = '${entry}'`), [
    { parts: { ...zone, renamedFrom: "part" }, part: text },
  ]);
  const rows = () =>
    lab.rows("select document_id, parts -> 0 ->> '__component', parts -> 0 ->> 'words', part from pages order by 1");
  expect(await rows()).toEqual([
    ["p", "shared.box", "hello", null],
    ["q", null, null, null],
  ]);
  await lab.down();
  expect(await lab.rows("select document_id, part ->> 'words' from pages order by 1")).toEqual([
    ["p", "hello"],
    ["q", null],
  ]);
  await lab.up();
  expect(await rows()).toEqual([
    ["p", "shared.box", "hello", null],
    ["q", null, null, null],
  ]);
});

test("where one column of components changes, another that is empty stays so", async () => {
  const lab = await migrated([{ part: box, other: box }], page(`part = '${entry}'`), [
    { part: { ...box, repeatable: true }, other: zone },
  ]);
  expect(await lab.rows("select document_id, part ->> 0, other::text from pages order by 1")).toEqual([
    ["p", entry, null],
    ["q", null, null],
  ]);
});

test("what does not go on as it was is named, when its name is given to something else", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ secret: { type: "password" }, best: toTags("oneToOne") }));
  await lab.up();
  const taken = { secret: { ...toTags("manyToMany"), renamedFrom: "best" }, best: text };
  await expect(lab.change(files(taken))).rejects.toThrow("--allow drop:page.secret");
});

test("relations change their form under another name, and their old name is given to another relation", async () => {
  const lab = await migrated(
    [{ best: toTags("oneToOne"), all: toTags("oneToMany") }],
    `${page("best_document_id = 'a'")} insert into pages_all (version_id, document_id, position) select id, 'b', 1 from pages where document_id = 'p'`,
    [
      {
        bests: { ...toTags("oneToMany"), renamedFrom: "best" },
        best: toTags("oneToOne"),
        first: { ...toTags("oneToOne"), renamedFrom: "all" },
        all: toTags("oneToMany"),
      },
    ],
    ["narrow:page.all"],
  );
  const found = () =>
    lab.rows(`select page.document_id, best_document_id, first_document_id, bests.document_id,
      (select count(*)::int from pages_all) from pages as page left join pages_bests as bests on version_id = page.id order by 1`);
  expect(await found()).toEqual([
    ["p", null, "b", "a", 0],
    ["q", null, null, null, 0],
  ]);
  await lab.down();
  expect(
    await lab.rows(
      "select best_document_id, link.document_id from pages join pages_all as link on version_id = pages.id",
    ),
  ).toEqual([["a", "b"]]);
  await lab.up();
  expect(await found()).toHaveLength(2);
});

test("two relations of other forms trade places", async () => {
  const lab = await migrated(
    [{ best: toTags("oneToOne"), all: toTags("oneToMany") }],
    `${page("best_document_id = 'a'")} insert into pages_all (version_id, document_id, position) select id, 'b', 1 from pages where document_id = 'p'`,
    [{ best: { ...toTags("oneToOne"), renamedFrom: "all" }, all: { ...toTags("oneToMany"), renamedFrom: "best" } }],
    ["narrow:page.all", "narrow:page.best"],
  );
  const found = () =>
    lab.rows("select best_document_id, link.document_id from pages join pages_all as link on version_id = pages.id");
  expect(await found()).toEqual([["b", "a"]]);
  await lab.down();
  expect(await found()).toEqual([["a", "b"]]);
});

test("two relations trade places, of which one leads to any type from now on", async () => {
  const lab = await migrated(
    [{ best: toTags("oneToOne"), any: { type: "relation", relation: "morphToOne" } }],
    page("best_document_id = 'a', any_document_id = 'b', any_type = 'api::tag.tag'"),
    [
      {
        best: { type: "relation", relation: "morphToOne", renamedFrom: "any" },
        any: { type: "relation", relation: "morphToMany", renamedFrom: "best" },
      },
    ],
  );
  expect(
    await lab.rows(`select best_document_id, best_type, link.document_id, link.document_type from pages
      join pages_any as link on version_id = pages.id`),
  ).toEqual([["b", "api::tag.tag", "a", "api::tag.tag"]]);
  await lab.down();
  expect(await lab.rows("select best_document_id, any_document_id, any_type from pages order by 1 limit 1")).toEqual([
    ["a", "b", "api::tag.tag"],
  ]);
});

test("drafts that are turned on have what moves or is renamed in the same change", async () => {
  const lab = await migrated(
    [{ title: text, best: toTags("oneToOne"), all: toTags("oneToMany"), part: box }],
    `${page(`best_document_id = 'a', title = 'T', part = '${entry}'`)}
      insert into pages_all (version_id, document_id, position) select id, 'b', 1 from pages where document_id = 'p'`,
    [
      { best: toTags("oneToMany"), every: { ...toTags("oneToMany"), renamedFrom: "all" }, part: box },
      { options: { draftAndPublish: true }, collectionName: "sheets" },
      { words: text, title: { ...text, renamedFrom: "page.title" } },
    ],
  );
  expect(
    await lab.rows(`select published_at is null, best.document_id, every.document_id, part ->> 'title', part ->> 'words'
      from sheets left join sheets_best as best on best.version_id = id left join sheets_every as every on every.version_id = id
      where sheets.document_id = 'p' order by 1`),
  ).toEqual([
    [false, "a", "b", "T", "hello"],
    [true, "a", "b", "T", "hello"],
  ]);
});

test("a field does not move into a component that becomes something else meanwhile", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ title: text, part: { ...box, repeatable: true } }));
  await lab.up();
  const moved = { words: text, title: { ...text, renamedFrom: "page.title" } };
  await expect(lab.change(files({ part: box }, {}, moved), ["narrow:page.part"])).rejects.toThrow(
    "make the component something else in a second migration",
  );
});

test("a field does not move while its values change, which nobody would rename or check", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ state: { type: "enumeration", enum: ["new", "old"] }, part: box }));
  await lab.up();
  const state = {
    type: "enumeration",
    enum: ["fresh", "old"],
    renamedValues: { fresh: "new" },
    renamedFrom: "page.state",
  };
  await expect(lab.change(files({ part: box }, {}, { words: text, state }))).rejects.toThrow(
    "change its type or its values in a second migration",
  );
});

test("values that become an enumeration get their names with it, and lose them on the way back", async () => {
  const flag = { type: "boolean" };
  const state = { type: "enumeration", enum: ["yes", "no"], renamedValues: { yes: "true", no: "false" } };
  const lab = await migrated(
    [{ open: flag, part: box }, {}, { open: flag }],
    page(`open = true, part = '{"id":1,"open":false}'`),
    [{ open: state, part: box }, {}, { open: state }],
  );
  const found = () => lab.rows("select open::text, part ->> 'open' from pages where document_id = 'p'");
  expect(await found()).toEqual([["yes", "no"]]);
  await lab.down();
  expect(await found()).toEqual([["true", "false"]]);
});

test("the table of a relation leaves its name to a type, and gets it back", async () => {
  const all = { all: toTags("manyToMany") };
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files(all));
  await lab.up();
  await lab.run(`${page("id = id")}
    insert into pages_all (version_id, document_id, position) select id, 'a', 1 from pages`);
  const label = { "label/schema.json": schema("label", { name: text }, { collectionName: "pages_all" }) };
  await lab.change({ ...files({}), ...label }, ["drop:page.all"]);
  await lab.up();
  expect(await lab.rows("select name from pages_all")).toEqual([]);
  await lab.down();
  expect(await lab.rows("select document_id from pages_all")).toEqual([]);
});

const sheet = (collectionName: string, attributes: object = {}) => ({
  "sheet/schema.json": schema("sheet", { name: text, ...attributes }, { collectionName }),
  "tag/schema.json": schema("tag", { name: text }),
});

test("a type goes whose table and links leave their names to another type and its links", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change({ ...files({ all: toTags("manyToMany") }), ...sheet("sheets") });
  await lab.up();
  await lab.run(`${page("id = id")} insert into documents values ('s', 'api::sheet.sheet');
    insert into pages_all (version_id, document_id, position) select id, 'a', 1 from pages;
    insert into sheets (document_id, created_at, updated_at, published_at, name) values ('s', now(), now(), now(), 'kept');`);
  const allowed = ["drop:page", "drop:page.all", "drop:shared.box"];
  await lab.change(sheet("pages", { all: toTags("manyToMany") }), allowed);
  await lab.up();
  expect(await lab.rows("select document_id, name, (select count(*)::int from pages_all) from pages")).toEqual([
    ["s", "kept", 0],
  ]);
  await lab.down();
  expect(await lab.rows("select name, (select count(*)::int from pages) from sheets")).toEqual([["kept", 0]]);
});

test("what goes makes room for what is renamed to its table or column, and comes back on the way down", async () => {
  const lab = await migrationLab(database, onTestFinished);
  const info = { singularName: "post", pluralName: "posts", displayName: "Post", renamedFrom: "note" };
  await lab.change({
    ...files({ metaTitle: { ...text, unique: true }, heading: { ...text, unique: true }, best: toTags("oneToMany") }),
    "article/schema.json": schema("article", { words: text, tags: toTags("oneToMany") }),
    "note/schema.json": schema("note", { words: text, tags: toTags("oneToMany") }),
  });
  await lab.up();
  await lab.run(`insert into documents values ('p', 'api::page.page'), ('a', 'api::article.article'), ('n', 'api::note.note');
    insert into pages (document_id, created_at, updated_at, published_at, meta_title, heading) values ('p', now(), now(), now(), 'old', 'kept');
    insert into articles (document_id, created_at, updated_at, published_at, words) values ('a', now(), now(), now(), 'gone');
    insert into notes (document_id, created_at, updated_at, published_at, words) values ('n', now(), now(), now(), 'note')`);
  const next = {
    ...files({ meta_title: { ...text, unique: true, renamedFrom: "heading" }, best: toTags("oneToMany") }),
    "post/schema.json": schema(
      "post",
      { words: text, tags: toTags("oneToMany") },
      { collectionName: "articles", info },
    ),
  };
  await expect(lab.change(next)).rejects.toThrow("--allow drop:page.metaTitle drop:article");
  await lab.change(next, ["drop:page.metaTitle", "drop:article"]);
  await lab.up();
  const found = () => lab.rows("select meta_title, words, (select count(*)::int from documents) from pages, articles");
  expect(await found()).toEqual([["kept", "note", 2]]);
  await lab.down();
  expect(await lab.rows("select meta_title, heading, words from pages, notes")).toEqual([[null, "kept", "note"]]);
  await lab.up();
  expect(await found()).toEqual([["kept", "note", 2]]);
});
