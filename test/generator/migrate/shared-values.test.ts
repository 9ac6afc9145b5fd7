/** Attributes that stop being localized: the values that differ between locales are named, counted and asked for. */
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
