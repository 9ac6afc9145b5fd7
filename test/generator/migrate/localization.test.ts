/** Localization that is turned on and off: what goes or is no longer shown is named, counted and asked for. */
import { readdirSync } from "node:fs";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { branchProject } from "../../support/branch.ts";
import { component, schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});

const when = (localized: boolean, attribute: object) => ({ ...attribute, pluginOptions: { i18n: { localized } } });

const files = (localized: boolean) => ({
  "page/schema.json": schema(
    "page",
    {
      title: when(localized, { type: "string" }),
      box: when(localized, { type: "component", component: "shared.box" }),
      files: when(localized, { type: "media", multiple: true }),
      always: when(true, { type: "string" }),
    },
    { pluginOptions: { i18n: { localized: true } } },
  ),
  "components/shared/box.json": component({ label: { type: "string" } }),
});

const row = (id: string, locale: string, title: string | null, box: string) =>
  `('${id}', '${locale}', now(), now(), now(), ${title === null ? "null" : `'${title}'`}, '${box}', '${locale}')`;

test("an attribute that stops being localized names and counts the values that differ, and asks", async () => {
  await project.change(files(true));
  await project.migrate();
  project.git("add", "--all");
  project.git("commit", "--message", "Pages");
  await project.database.script(`
    insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page'), ('p3', 'api::page.page');
    insert into pages (document_id, locale, created_at, updated_at, published_at, title, box, always) values
      ${row("p1", "en", "Tree", '{"id": 1, "label": "same"}')}, ${row("p1", "de", "Baum", '{"id": 2, "label": "same"}')},
      ${row("p1", "fr", "Arbre", '{"id": 3, "label": "autre"}')},
      ${row("p2", "en", "Ok", "null")}, ${row("p2", "de", "Ok", "null")},
      ${row("p3", "en", "One", "null")}, ${row("p3", "de", null, "null")};
    insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
      values ('f1', 'f1', 'f1', 'text/plain', 1, '/f1', 'local', now(), now());
    insert into pages_files (version_id, file_id, position) select pages.id, files.id, 1 from pages, files where locale = 'en' and pages.document_id = 'p1';`);

  await expect(project.change(files(false))).rejects.toThrow(
    /--allow narrow:page\.title narrow:page\.box narrow:page\.files/,
  );
  const allow = ["narrow:page.title", "narrow:page.box", "narrow:page.files"];
  const { migration } = await project.change(files(false), { allow });
  expect(migration?.name).toMatch(/change_page_title_and_2_more$/);
  const header = project.read(migration?.name, "up.sql");
  expect(header).toContain("stores pages.title once for all locales");
  expect(header).toMatch(/Loses: values of pages\.title that differ between locales, when a document is saved/);
  expect(project.read(migration?.name, "down.sql")).toMatch(/Loses: nothing/);
  await project.migrate({ dryRun: true });
  expect(printed.join("").match(/loses .*/g)).toEqual([
    "loses 3 values of pages.title that differ between locales",
    "loses 1 value of pages.box that differs between locales",
    "loses 1 value of pages.files that differs between locales",
  ]);

  await project.change(files(true));
  expect(readdirSync(project.file("", ""))).toHaveLength(1);
});

const localized = (is: boolean) => ({ pluginOptions: { i18n: { localized: is } } });
const relation = (kind: string) => ({ type: "relation", relation: kind, target: "api::author.author" });
const library = (isLocalized: boolean) => ({
  "book/schema.json": schema(
    "book",
    {
      writer: relation("manyToOne"),
      editors: relation("manyToMany"),
      credits: { type: "component", component: "shared.credit", repeatable: true },
    },
    localized(true),
  ),
  "shelf/schema.json": schema("shelf", { owner: relation("manyToOne") }),
  "author/schema.json": schema("author", { name: { type: "string" } }, localized(isLocalized)),
  "components/shared/credit.json": component({ person: relation("oneToOne") }),
});

const book = (locale: string) =>
  `insert into books (document_id, locale, created_at, updated_at, published_at, writer_document_id, credits)
    values ('b1', '${locale}', now(), now(), now(), 'a1', '[{"id": 1, "person": {"documentId": "a1"}}, {"id": 2, "person": null}]');
   insert into books_editors (version_id, document_id, position) select id, 'a1', 1 from books where locale = '${locale}';`;

test("links of other locales that nothing shows once their target is localized are named, counted and asked for", async () => {
  await project.database.script("drop schema public cascade; create schema public");
  await project.change(library(false), { allow: ["drop:page", "drop:shared.box"] });
  await project.migrate();
  project.commit();
  project.git("tag", "library");
  await project.database.script(`
    insert into documents values ('b1', 'api::book.book'), ('a1', 'api::author.author'), ('s1', 'api::shelf.shelf');
    insert into authors (document_id, created_at, updated_at, published_at, name) values ('a1', now(), now(), now(), 'Ann');
    ${book("en")} ${book("de")} ${book("fr")}`);
  const flags = ["narrow:book.writer", "narrow:book.editors", "narrow:shared.credit.person"];
  await expect(project.change(library(true))).rejects.toThrow(`--allow ${flags.join(" ")}`);
  const { migration } = await project.change(library(true), { allow: flags });
  expect(project.read(migration?.name, "up.sql")).toMatch(
    /Loses: sight of links of books\.writer in other locales than "en", until their targets have a version there/,
  );
  await project.migrate({ dryRun: true });
  expect(printed.join("").match(/hides .*/g)).toEqual([
    "hides 2 links of books.writer in other locales",
    "hides 2 links of books.editors in other locales",
    "hides 2 links of shared.credit.person in other locales",
  ]);
});
