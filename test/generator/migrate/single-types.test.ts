/** A collection type that becomes a single type keeps its documents, and says that nobody sees them any more. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { migrationLab, schema } from "../../support/migration-lab.ts";

const lab = await migrationLab(await freshDatabase("postgres"), afterAll);
const title = { type: "string" };
const page = (kind: string, attributes: object = { title }) => ({
  "page/schema.json": schema("page", attributes, { kind }),
});

const header = (name: string | undefined, way: "up" | "down"): string =>
  readFileSync(path.join(lab.migrations, name ?? "", `${way}.sql`), "utf8");

test("documents that a single type does not show are named in both directions, and stay", async () => {
  await lab.change(page("collectionType"));
  await lab.up();
  await lab.run(`insert into documents values ('a', 'api::page.page'), ('b', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, title) values
      ('a', now(), now(), now(), 'A'), ('b', now(), now(), now(), 'B')`);
  const titles = async () => (await lab.rows("select title from pages order by title")).flat();

  await expect(lab.change(page("singleType"))).rejects.toThrow(
    /pages would be a single type: it shows its first document, and nothing shows the others[^]*--allow narrow:page\n/,
  );
  const single = await lab.change(page("singleType"), ["narrow:page"]);
  expect(single).toMatch(/_change_page$/);
  expect(header(single, "up")).toContain("makes pages a single type, which shows its first document");
  expect(header(single, "up")).toContain(
    "-- Loses: sight of all documents of pages but the first; they stay in the table",
  );
  expect(header(single, "down")).toContain("-- Loses: nothing");
  await lab.up();

  const several = await lab.change(page("collectionType", { title, subtitle: title }));
  expect(several).toMatch(/_change_page_and_add_page_subtitle$/);
  expect(header(several, "up")).toContain("makes pages a collection type");
  expect(header(several, "up")).toContain("-- Loses: nothing");
  expect(header(several, "down")).toContain("sight of all documents of pages but the first");
  await lab.up();
  await lab.down();
  await lab.down();
  expect(await titles()).toEqual(["A", "B"]);
});

test("a single type that stays one is no change, whatever else changes", async () => {
  await lab.change(page("singleType"), ["narrow:page", "drop:page.subtitle"]);
  const name = await lab.change(page("singleType", { title, subtitle: title }));
  expect(name).toMatch(/_add_page_subtitle$/);
  expect(header(name, "up")).not.toContain("single type");
});
