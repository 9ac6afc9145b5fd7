/** Relations, media, drafts, locales and types that change while there is content. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const document = (lab: MigrationLab, id: string, type: string) =>
  lab.run(`insert into documents (document_id, type) values ('${id}', '${type}')`);

const version = (table: string, id: string, columns: Readonly<Record<string, string>>) => {
  const all = { document_id: `'${id}'`, created_at: "now()", updated_at: "now()", published_at: "now()", ...columns };
  return `insert into ${table} (${Object.keys(all).join(", ")}) values (${Object.values(all).join(", ")});`;
};

const book = "api::book.book";
const author = "api::author.author";
const one = { type: "relation", relation: "oneToOne", target: author };
const many = { type: "relation", relation: "oneToMany", target: author };
const library = (attributes: object, more: object = {}) => ({
  "book/schema.json": schema("book", { title: { type: "string" }, ...attributes }, more),
  "author/schema.json": schema("author", { name: { type: "string" } }),
});

const write = async (lab: MigrationLab) => {
  for (const id of ["b1", "b2"]) await document(lab, id, book);
  for (const id of ["a1", "a2"]) await document(lab, id, author);
};

test.each(inTurn())("a relation that becomes to-many keeps its target, and back, on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(library({ writer: one }));
  await lab.up();
  await write(lab);
  await lab.run(version("books", "b1", { writer_document_id: "'a2'" }) + version("books", "b2", {}));
  await lab.change(library({ writer: many }));
  await lab.up();
  const links = () =>
    lab.rows("select b.document_id, l.document_id from books_writer l join books b on b.id = version_id");
  expect(await links()).toEqual([["b1", "a2"]]);
  await lab.run(
    "insert into books_writer (version_id, document_id, position) select id, 'a1', 2 from books where document_id = 'b1'",
  );

  await expect(lab.change(library({ writer: one }))).rejects.toThrow("--allow narrow:book.writer");
  await lab.change(library({ writer: one }), ["narrow:book.writer"]);
  await lab.up();
  expect(await lab.rows("select document_id, writer_document_id from books order by 1")).toEqual([
    ["b1", "a2"],
    ["b2", null],
  ]);
  await lab.down();
  expect(await links()).toEqual([["b1", "a2"]]);
});

test.each(inTurn())("a renamed relation keeps its targets on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(library({ writer: one, editors: many }));
  await lab.up();
  await write(lab);
  await lab.run(version("books", "b1", { writer_document_id: "'a2'" }));
  await lab.run("insert into books_editors (version_id, document_id, position) select id, 'a1', 1 from books");
  await lab.change(
    library({ novelist: { ...one, renamedFrom: "writer" }, readers: { ...many, renamedFrom: "editors" } }),
  );
  await lab.up();
  expect(await lab.rows("select novelist_document_id from books")).toEqual([["a2"]]);
  expect(await lab.rows("select document_id from books_readers")).toEqual([["a1"]]);
  await lab.down();
  expect(await lab.rows("select writer_document_id from books")).toEqual([["a2"]]);
  expect(await lab.rows("select document_id from books_editors")).toEqual([["a1"]]);
});

const relationTo = (name: string, more: object = {}) => ({ type: "relation", relation: name, target: author, ...more });

test.each(inTurn())("every kind of relation is added and removed on %s", async (kind) => {
  const lab = await labOn(kind);
  const kinds = {
    r1: relationTo("oneToOne"),
    r2: relationTo("manyToOne", { inversedBy: "b2" }),
    r3: relationTo("oneToMany"),
    r4: relationTo("manyToMany", { inversedBy: "b4" }),
    r5: { type: "relation", relation: "morphToOne" },
    r6: { type: "relation", relation: "morphToMany" },
  };
  const inverse = {
    b2: { type: "relation", relation: "oneToMany", target: book, mappedBy: "r2" },
    b4: { type: "relation", relation: "manyToMany", target: book, mappedBy: "r4" },
    b5: { type: "relation", relation: "morphMany", target: book, morphBy: "r5" },
    b6: { type: "relation", relation: "morphOne", target: book, morphBy: "r6" },
  };
  const withAll = {
    "book/schema.json": schema("book", { title: { type: "string" }, ...kinds }),
    "author/schema.json": schema("author", { name: { type: "string" }, ...inverse }),
  };
  await lab.change(library({}));
  await lab.up();
  await write(lab);
  await lab.run(version("books", "b1", { title: "'kept'" }));
  await lab.change(withAll);
  await lab.up();
  await lab.down();
  expect(await lab.rows("select title from books")).toEqual([["kept"]]);
  await lab.up();
  const refused = await lab.change(library({})).catch((error: unknown) => String(error));
  const flags = [...String(refused).matchAll(/--allow (\S+)/g)].map(([, flag]) => flag ?? "");
  expect(flags).toEqual(expect.arrayContaining(["drop:book.r1", "drop:book.r3", "drop:book.r4", "drop:book.r6"]));
  await lab.change(library({}), flags);
  await lab.up();
  expect(await lab.rows("select title from books")).toEqual([["kept"]]);
});

test.each(inTurn())("the first migration of types with links and lists of files is undone on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(library({ editors: many, alphabetical: { type: "media", multiple: true } }));
  await lab.up();
  await lab.down();
  expect(await lab.rows("select tablename from pg_tables where schemaname = 'public'")).toEqual([
    ["galley_migrations"],
  ]);
});

const withCover = (multiple: boolean) => library({ cover: { type: "media", multiple } });

test.each(inTurn())("media become a list and a single file again on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(withCover(false));
  await lab.up();
  await write(lab);
  await lab.run(`insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
    values ('f1', 'a.png', 'a', 'image/png', 1, '/a.png', 'local', now(), now())`);
  await lab.run(version("books", "b1", { cover_id: "(select id from files)" }));
  await lab.change(withCover(true));
  await lab.up();
  expect(await lab.rows("select f.name from books_cover join files f on f.id = file_id")).toEqual([["a.png"]]);
  await lab.down();
  expect(await lab.rows("select f.name from books join files f on f.id = cover_id")).toEqual([["a.png"]]);
});

const withDrafts = (draftAndPublish: boolean) => library({ editors: many }, { options: { draftAndPublish } });

test.each(inTurn())("drafts are turned on and off without losing what is published on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(withDrafts(false));
  await lab.up();
  await write(lab);
  await lab.run(version("books", "b1", { title: "'one'" }));
  await lab.run("insert into books_editors (version_id, document_id, position) select id, 'a1', 1 from books");
  await lab.change(withDrafts(true));
  await lab.up();
  const versions = () =>
    lab.rows(`select b.document_id, b.title, b.published_at is null, l.document_id
      from books b left join books_editors l on l.version_id = b.id order by 1, 3`);
  expect(await versions()).toEqual([
    ["b1", "one", false, "a1"],
    ["b1", "one", true, "a1"],
  ]);
  await lab.down();
  expect(await versions()).toEqual([["b1", "one", false, "a1"]]);
  await lab.up();
  await lab.run(version("books", "b2", { title: "'never published'", published_at: "null" }));
  await lab.run("update books set title = 'newer' where document_id = 'b1' and published_at is null");
  await expect(lab.change(withDrafts(false))).rejects.toThrow("--allow publish:book");
  await lab.change(withDrafts(false), ["publish:book"]);
  await lab.up();
  expect(await versions()).toEqual([
    ["b1", "one", false, "a1"],
    ["b2", "never published", false, null],
  ]);
  await lab.down();
  expect(await versions()).toEqual([
    ["b1", "one", false, "a1"],
    ["b1", "one", true, "a1"],
    ["b2", "never published", false, null],
    ["b2", "never published", true, null],
  ]);
});

const withLocales = (localized: boolean) => library({}, { pluginOptions: { i18n: { localized } } });

test.each(inTurn())("locales are turned on and off on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(withLocales(false));
  await lab.up();
  await write(lab);
  await lab.run(version("books", "b1", { title: "'one'" }));
  await lab.change(withLocales(true));
  await lab.up();
  expect(await lab.rows("select title, locale from books")).toEqual([["one", "en"]]);
  await lab.down();
  expect(await lab.rows("select title from books")).toEqual([["one"]]);
  await lab.up();
  await lab.run(
    version("books", "b1", { title: "'un'", locale: "'fr'" }) +
      version("books", "b2", { title: "'deux'", locale: "'fr'" }),
  );
  expect(await lab.rows("select title, locale from books order by 1")).toEqual([
    ["deux", "fr"],
    ["one", "en"],
    ["un", "fr"],
  ]);
  await expect(lab.change(withLocales(false))).rejects.toThrow("--allow drop:book.locale");
  await lab.change(withLocales(false), ["drop:book.locale"]);
  await lab.up();
  expect(await lab.rows("select title from books order by 1")).toEqual([["deux"], ["one"]]);
  await lab.down();
  expect(await lab.rows("select title, locale from books order by 1")).toEqual([
    ["deux", "en"],
    ["one", "en"],
  ]);
});

test.each(inTurn())("a renamed type keeps documents, links and permissions on %s", async (kind) => {
  const lab = await labOn(kind);
  const subject = { type: "relation", relation: "morphToOne" };
  const before = { ...library({ editors: many }), "note/schema.json": schema("note", { subject }) };
  await lab.change(before);
  await lab.up();
  await write(lab);
  await document(lab, "n1", "api::note.note");
  await document(lab, "r1", "plugin::users-permissions.role");
  await lab.run(version("books", "b1", { title: "'one'" }));
  await lab.run("insert into books_editors (version_id, document_id, position) select id, 'a1', 1 from books");
  await lab.run(version("notes", "n1", { subject_document_id: "'b1'", subject_type: `'${book}'` }));
  await lab.run(`insert into role_permissions values ('r1', '${book}.find'), ('r1', 'api::bookshop.bookshop.find')`);

  const { "book/schema.json": _, ...others } = before;
  const info = { singularName: "novel", pluralName: "novels", displayName: "Novel", renamedFrom: "book" };
  const renamed = { "novel/schema.json": schema("novel", { title: { type: "string" }, editors: many }, { info }) };
  await expect(
    lab.change({ ...others, "novel/schema.json": schema("novel", { title: { type: "string" }, editors: many }) }),
  ).rejects.toThrow("--allow drop:book");
  expect(await lab.change({ ...others, ...renamed })).toMatch(/_rename_book_to_novel$/);
  await lab.up();
  expect(await lab.rows("select title from novels")).toEqual([["one"]]);
  expect(await lab.rows("select document_id from novels_editors")).toEqual([["a1"]]);
  expect(await lab.rows("select type from documents where document_id = 'b1'")).toEqual([["api::novel.novel"]]);
  expect(await lab.rows("select subject_type from notes")).toEqual([["api::novel.novel"]]);
  expect(await lab.rows("select action from role_permissions order by 1")).toEqual([
    ["api::bookshop.bookshop.find"],
    ["api::novel.novel.find"],
  ]);
  await lab.down();
  expect(await lab.rows("select title from books")).toEqual([["one"]]);
  expect(await lab.rows("select subject_type from notes")).toEqual([[book]]);
});

test.each(inTurn())("a removed type goes with its documents when that is allowed on %s", async (kind) => {
  const lab = await labOn(kind);
  const all = library({ editors: many });
  await lab.change(all);
  await lab.up();
  await write(lab);
  await lab.run(version("authors", "a1", { name: "'Ann'" }));
  const { "book/schema.json": _, ...others } = all;
  await expect(lab.change(others)).rejects.toThrow("--allow drop:book");
  await lab.change(others, ["drop:book"]);
  await lab.up();
  expect(await lab.rows("select document_id from documents order by 1")).toEqual([["a1"], ["a2"]]);
  await lab.down();
  expect(await lab.rows("select * from books")).toEqual([]);
});
