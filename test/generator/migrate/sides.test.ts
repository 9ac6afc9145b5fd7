/** Relations that the other side stores from now on. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const to = (name: "book" | "author", relation: string, more: object = {}) => ({
  type: "relation",
  relation,
  target: `api::${name}.${name}`,
  ...more,
});
const owns = (attribute: string) => ({ inversedBy: attribute });
const seen = (attribute: string) => ({ mappedBy: attribute });

const versions = { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } };
const library = (book: object, author: object, more: object = {}) => ({
  "book/schema.json": schema("book", book, more),
  "author/schema.json": schema("author", author, more),
});

const now = "created_at, updated_at, published_at";

/** Books b1, b2 and authors a1, a2, one version each. */
const fill = (lab: MigrationLab) =>
  lab.run(`
    insert into documents values ('b1', 'api::book.book'), ('b2', 'api::book.book'),
      ('a1', 'api::author.author'), ('a2', 'api::author.author');
    insert into books (document_id, ${now}) values ('b1', now(), now(), now()), ('b2', now(), now(), now());
    insert into authors (document_id, ${now}) values ('a1', now(), now(), now()), ('a2', now(), now(), now());`);

/** Pairs of a link table: the document that has the list, and the entries in its order. */
const lists = (lab: MigrationLab, link: string, table: string, order = "position") =>
  lab.rows(`select v.document_id, string_agg(l.document_id, ' ' order by l.${order})
    from ${link} l join ${table} v on v.id = l.version_id group by 1 order by 1`);
/** The same from the other side. */
const inverse = (lab: MigrationLab, link: string, table: string) =>
  lab.rows(`select l.document_id, string_agg(v.document_id, ' ' order by l.inverse_position)
    from ${link} l join ${table} v on v.id = l.version_id group by 1 order by 1`);
const columns = (lab: MigrationLab, table: string, column: string) =>
  lab.rows(`select document_id, ${column} from ${table} order by 1`);

test.each(inTurn())("both orders of a manyToMany survive a change of its owner on %s", async (kind) => {
  const lab = await labOn(kind);
  const bookOwns = library(
    { writers: to("author", "manyToMany", owns("works")) },
    { works: to("book", "manyToMany", seen("writers")) },
  );
  await lab.change(bookOwns);
  await lab.up();
  await fill(lab);
  await lab.run(`insert into books_writers (version_id, document_id, position, inverse_position)
    select id, 'a2', 1, 2 from books where document_id = 'b1' union all
    select id, 'a1', 2, 1 from books where document_id = 'b1' union all
    select id, 'a2', 1, 1 from books where document_id = 'b2'`);
  const before = [
    ["b1", "a2 a1"],
    ["b2", "a2"],
  ];
  const beforeThere = [
    ["a1", "b1"],
    ["a2", "b2 b1"],
  ];
  expect(await inverse(lab, "books_writers", "books")).toEqual(beforeThere);

  await lab.change(
    library(
      { writers: to("author", "manyToMany", seen("works")) },
      { works: to("book", "manyToMany", owns("writers")) },
    ),
  );
  await lab.up();
  expect(await lists(lab, "authors_works", "authors")).toEqual(beforeThere);
  expect(await inverse(lab, "authors_works", "authors")).toEqual(before);
  await lab.down();
  expect(await lists(lab, "books_writers", "books")).toEqual(before);
  expect(await inverse(lab, "books_writers", "books")).toEqual(beforeThere);
});

test.each(inTurn())("a oneToOne changes its owner and one of its names on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(
    library({ writer: to("author", "oneToOne", owns("work")) }, { work: to("book", "oneToOne", seen("writer")) }),
  );
  await lab.up();
  await fill(lab);
  await lab.run("update books set writer_document_id = 'a2' where document_id = 'b1'");
  await lab.change(
    library(
      { author: to("author", "oneToOne", { ...seen("work"), renamedFrom: "writer" }) },
      { work: to("book", "oneToOne", owns("author")) },
    ),
  );
  await lab.up();
  expect(await columns(lab, "authors", "work_document_id")).toEqual([
    ["a1", null],
    ["a2", "b1"],
  ]);
  await lab.down();
  expect(await columns(lab, "books", "writer_document_id")).toEqual([
    ["b1", "a2"],
    ["b2", null],
  ]);
});

test.each(inTurn())("a list gets its other side, and loses it again, on %s", async (kind) => {
  const lab = await labOn(kind);
  const oneWay = library({ title: { type: "string" } }, { works: to("book", "oneToMany") });
  const twoWay = library(
    { title: { type: "string" }, writer: to("author", "manyToOne", owns("works")) },
    { works: to("book", "oneToMany", seen("writer")) },
  );
  await lab.change(oneWay);
  await lab.up();
  await fill(lab);
  const works = [["a2", "b2 b1"]];
  await lab.run(`insert into authors_works (version_id, document_id, position)
    select id, 'b2', 1 from authors where document_id = 'a2' union all
    select id, 'b1', 2 from authors where document_id = 'a2'`);
  await lab.change(twoWay);
  await lab.up();
  expect(await lab.rows("select document_id, writer_document_id, writer_position from books order by 1")).toEqual([
    ["b1", "a2", 2],
    ["b2", "a2", 1],
  ]);
  await lab.down();
  expect(await lists(lab, "authors_works", "authors")).toEqual(works);
  await lab.up();
  await lab.change(oneWay);
  await lab.up();
  expect(await lists(lab, "authors_works", "authors")).toEqual(works);
});

test.each(inTurn())("drafts keep to drafts and languages to languages on %s", async (kind) => {
  const lab = await labOn(kind);
  const bookOwns = library(
    { writers: to("author", "manyToMany", owns("works")) },
    { works: to("book", "manyToMany", seen("writers")) },
    versions,
  );
  await lab.change(bookOwns);
  await lab.up();
  await lab.run(`
    insert into documents values ('b1', 'api::book.book'), ('a1', 'api::author.author'), ('a2', 'api::author.author');
    insert into books (document_id, locale, ${now}) values
      ('b1', 'en', now(), now(), null), ('b1', 'en', now(), now(), now()), ('b1', 'fr', now(), now(), null);
    insert into authors (document_id, locale, ${now}) values
      ('a1', 'en', now(), now(), null), ('a1', 'en', now(), now(), now()), ('a1', 'fr', now(), now(), null),
      ('a2', 'en', now(), now(), null);
    insert into books_writers (version_id, document_id, position, inverse_position)
      select id, 'a1', 1, 1 from books where published_at is null and locale = 'fr' union all
      select id, 'a1', 1, 1 from books where published_at is not null union all
      select id, 'a2', 2, 1 from books where locale = 'en';`);
  await lab.change(
    library(
      { writers: to("author", "manyToMany", seen("works")) },
      { works: to("book", "manyToMany", owns("writers")) },
      versions,
    ),
  );
  await lab.up();
  // That b1 points to a2 from what is published too shows as soon as a2 is published: it takes over its draft's links.
  const moved = `select v.document_id, v.locale, v.published_at is null, l.document_id
    from authors_works l join authors v on v.id = l.version_id order by 1, 2, 3`;
  expect(await lab.rows(moved)).toEqual([
    ["a1", "en", false, "b1"],
    ["a1", "fr", true, "b1"],
    ["a2", "en", true, "b1"],
  ]);
});

const flipped = {
  before: library(
    { writer: to("author", "manyToOne", owns("works")) },
    { works: to("book", "oneToMany", seen("writer")) },
  ),
  after: library(
    { writer: to("author", "oneToMany", seen("works")) },
    { works: to("book", "manyToOne", owns("writer")) },
  ),
};

test.each(inTurn())("many become one only when that is allowed on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(flipped.before);
  await lab.up();
  await fill(lab);
  await lab.run(
    "update books set writer_document_id = 'a1', writer_position = case document_id when 'b1' then 2 else 1 end",
  );
  await expect(lab.change(flipped.after)).rejects.toThrow("--allow narrow:book.writer");
  await lab.change(flipped.after, ["narrow:book.writer"]);
  await lab.up();
  expect(await columns(lab, "authors", "works_document_id")).toEqual([
    ["a1", "b2"],
    ["a2", null],
  ]);
});

test.each(inTurn())("a link without a place stops the migration, unless it may go, on %s", async (kind) => {
  const lab = await labOn(kind);
  const i18n = { pluginOptions: { i18n: { localized: true } } };
  const before = library(
    { writers: to("author", "manyToMany", owns("works")) },
    { works: to("book", "manyToMany", seen("writers")) },
    i18n,
  );
  const after = library(
    { writers: to("author", "manyToMany", seen("works")) },
    { works: to("book", "manyToMany", owns("writers")) },
    i18n,
  );
  await lab.change(before);
  await lab.up();
  await lab.run(`
    insert into documents values ('b1', 'api::book.book'), ('a1', 'api::author.author');
    insert into books (document_id, locale, ${now}) values ('b1', 'fr', now(), now(), now());
    insert into authors (document_id, locale, ${now}) values ('a1', 'en', now(), now(), now());
    insert into books_writers (version_id, document_id, position, inverse_position) select id, 'a1', 1, 1 from books;`);
  const name = await lab.change(after);
  await expect(lab.up()).rejects.toThrow("1 of the links of books_writers have no place in authors_works");
  expect(await lists(lab, "books_writers", "books")).toEqual([["b1", "a1"]]);
  await lab.run(
    "insert into authors (document_id, locale, created_at, updated_at, published_at) values ('a1', 'fr', now(), now(), now())",
  );
  expect(await lab.up()).toEqual([name]);
  expect(await lists(lab, "authors_works", "authors")).toEqual([["a1", "b1"]]);
});

const people = (parent: object, children: object) => ({
  "book/schema.json": schema("book", {
    sources: to("book", "manyToMany", parent),
    uses: to("book", "manyToMany", children),
  }),
});

test.each(inTurn())("a relation of a type with itself changes its direction on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(people(owns("uses"), seen("sources")));
  await lab.up();
  await lab.run(`
    insert into documents values ('b1', 'api::book.book'), ('b2', 'api::book.book');
    insert into books (document_id, ${now}) values ('b1', now(), now(), now()), ('b2', now(), now(), now());
    insert into books_sources (version_id, document_id, position, inverse_position)
      select id, 'b2', 1, 1 from books where document_id = 'b1';`);
  await lab.change(people(seen("uses"), owns("sources")));
  await lab.up();
  expect(await lists(lab, "books_uses", "books")).toEqual([["b2", "b1"]]);
  await lab.down();
  expect(await lists(lab, "books_sources", "books")).toEqual([["b1", "b2"]]);
});
