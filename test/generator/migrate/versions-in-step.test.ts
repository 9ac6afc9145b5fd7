/** Versions of documents while attributes have two names. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const text = { type: "string" };
const renamed = { title: text, tagline: { ...text, renamedFrom: "subtitle" } };
const article = (attributes: object, history = true) => ({
  "article/schema.json": schema("article", attributes, { options: { draftAndPublish: false, history } }),
});

const keep = (lab: MigrationLab, content: object, changed: readonly string[]) =>
  lab.run(`insert into document_versions (type, document_id, locale, status, action, at, content, changed)
    values ('api::article.article', 'd1', '', 'published', 'update', now(), '${JSON.stringify(content)}', '${JSON.stringify(changed)}')`);

/** The contents and the names of what changed, oldest first. */
const keptIn = async (lab: MigrationLab) =>
  (await lab.rows("select content::jsonb::text, changed::jsonb::text from document_versions order by id")).map(
    ([content, changed]): unknown[] => [JSON.parse(String(content)), JSON.parse(String(changed)).toSorted()],
  );

test.each(inTurn())("a rename in two steps does not mix in what was dropped under the new name on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(article({ title: text, tagline: text }));
  await lab.up();
  await keep(lab, { id: 1, title: "a", tagline: "dropped" }, ["tagline"]);
  await lab.change(article({ title: text, subtitle: text }), ["drop:article.tagline"]);
  await lab.up();
  await keep(lab, { id: 1, title: "a", subtitle: "kept", tagline: "dropped" }, ["subtitle", "tagline"]);
  await keep(lab, { id: 1, title: "b", subtitle: "kept" }, ["title"]);

  await lab.change(article(renamed), [], { expand: true });
  await lab.up();
  const first = [{ id: 1, title: "a" }, []];
  expect(await keptIn(lab)).toEqual([
    first,
    [{ id: 1, title: "a", subtitle: "kept", tagline: "kept" }, ["subtitle", "tagline"]],
    [{ id: 1, title: "b", subtitle: "kept", tagline: "kept" }, ["title"]],
  ]);
  await lab.change(article(renamed), [], { contract: true });
  await lab.up();
  expect(await keptIn(lab)).toEqual([
    first,
    [{ id: 1, title: "a", tagline: "kept" }, ["tagline"]],
    [{ id: 1, title: "b", tagline: "kept" }, ["title"]],
  ]);
  await lab.down();
  await lab.down();
  expect(await keptIn(lab)).toEqual([
    first,
    [{ id: 1, title: "a", subtitle: "kept" }, ["subtitle"]],
    [{ id: 1, title: "b", subtitle: "kept" }, ["title"]],
  ]);
});

test.each(inTurn())("history can be turned off during a rename in two steps on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(article({ title: text, subtitle: text }));
  await lab.up();
  await lab.change(article(renamed), [], { expand: true });
  await lab.up();
  await lab.change(article(renamed, false), ["drop:document_versions"]);
  await lab.up();
  expect(await lab.rows("select 1 from pg_proc where proname like 'document_versions%'")).toEqual([]);
  await lab.change(article(renamed, false), [], { contract: true });
  await lab.up();
  await lab.down();
  await lab.down();
  await keep(lab, { id: 1, title: "a", subtitle: "old" }, ["subtitle"]);
  expect(await keptIn(lab)).toEqual([
    [{ id: 1, title: "a", subtitle: "old", tagline: "old" }, ["subtitle", "tagline"]],
  ]);
  await lab.down();
});

test("a type cannot take another uid during a rename in two steps", async () => {
  const lab = await labOn("pglite");
  await lab.change(article({ title: text, subtitle: text }));
  await lab.change(article(renamed), [], { expand: true });
  const info = { singularName: "post", pluralName: "posts", displayName: "Post", renamedFrom: "api::article.article" };
  const post = schema("article", renamed, { options: { draftAndPublish: false, history: true }, info });
  await expect(lab.change({ "post/schema.json": post })).rejects.toThrow(
    "api::article.article.subtitle and tagline are still kept in step: finish that with --contract first",
  );
});
