/** A branch has one migration: what nobody has applied is replaced, and what is applied can be made one. */
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { folderSource } from "../../../generator/commands/folder-source.ts";
import { runReset } from "../../../generator/commands/migrate/reset.ts";
import { runStatus } from "../../../generator/commands/migrate/run.ts";
import { runSquash } from "../../../generator/commands/migrate/squash.ts";
import { branchProject } from "../../support/branch.ts";
import { schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };
const number = { type: "integer" };
const articles = (attributes: object) => ({ "article/schema.json": schema("article", { title: text, ...attributes }) });
const as = (name: string, renamedFrom: string) => ({
  "article/schema.json": schema("article", { [name]: { ...text, renamedFrom } }),
});
const state = (value: string, was?: string) =>
  articles({ state: { type: "enumeration", enum: [value], ...(was ? { renamedValues: { [value]: was } } : {}) } });
const link = (fields: object) => ({ "components/shared/link.json": { collectionName: "links", attributes: fields } });
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});

/** Back to what main has: an article with a title, applied. */
const onBranch = async () => {
  await project.database.script("drop schema public cascade; create schema public");
  project.git("switch", "--force", "main");
  project.git("clean", "-fdx", "--exclude", ".env");
  project.git("switch", "--force-create", "topic");
  await project.migrate();
};

test("on main, what is committed stays, and what is not is replaced", async () => {
  await project.change(articles({}));
  await project.change(articles({ draft: text }));
  await project.change({ "article/schema.json": schema("article", { title: text }) });
  expect(project.titles()).toEqual(["initial"]);
  project.commit();
  await project.change(articles({ first: text }));
  expect(project.titles()).toEqual(["initial", "add_article_first"]);
  await project.change(articles({ first: text, second: text }));
  expect(project.titles()).toEqual(["initial", "add_article_first_and_add_article_second"]);
  await project.change(articles({ second: text }));
  expect(project.titles()).toEqual(["initial", "add_article_second"]);
  const { replaced, migration } = await project.change(articles({}));
  expect({ count: replaced?.names.length, migration }).toEqual({ count: 1, migration: undefined });
  expect(project.titles()).toEqual(["initial"]);
  expect(existsSync(path.join(project.root, replaced?.kept ?? "", replaced?.names[0] ?? "", "down.sql"))).toBe(true);
});

test("on a branch, committed migrations are replaced too, with their flags and their name, unless a tag has them", async () => {
  await onBranch();
  await project.change(articles({ first: text }), { name: "Work on it" });
  expect(project.titles()).toEqual(["initial", "work_on_it"]);
  project.commit();
  await project.change(
    { "article/schema.json": schema("article", { first: text }) },
    { allow: ["drop:article.title"] },
  );
  await project.change({ "article/schema.json": schema("article", { first: text, second: text }) });
  expect(project.titles()).toEqual(["initial", "work_on_it"]);
  expect(project.read(project.names().at(-1), "up.sql")).toMatch(/drop column "title"/);
  project.commit();
  project.git("tag", "v1");
  await project.change(
    { "article/schema.json": schema("article", { second: text }) },
    { allow: ["drop:article.first"] },
  );
  expect(project.titles()).toEqual(["initial", "work_on_it", "remove_article_first"]);
  project.git("tag", "--delete", "v1");
});

test("what somebody has edited, written, applied or may have applied is not replaced", async () => {
  await onBranch();
  await project.change(articles({ first: text }));
  appendFileSync(project.file(String(project.names().at(-1)), "up.sql"), "select 1;\n");
  await project.change(articles({ first: text, second: text }));
  expect(project.titles()).toEqual(["initial", "add_article_first", "add_article_second"]);
  await project.migrate();
  const { note } = await project.change(articles({ first: text, second: text, third: text }));
  expect(note).toMatch(/add_article_second stays, because a database has it applied/);
  await project.change(articles({ first: text, second: text, third: number }));
  expect(project.titles()).toEqual(["initial", "add_article_first", "add_article_second", "add_article_third"]);
  vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
  const unsure = await project.change(articles({ first: text, second: text, third: number, fourth: text }));
  vi.unstubAllEnvs();
  expect(unsure.note).toMatch(/add_article_third stays, because it may be applied: .* cannot be used/);
});

test("a name that goes through another one, and a value that is converted twice, take two migrations", async () => {
  await onBranch();
  await project.change(as("head", "title"));
  await project.change(as("headline", "head"));
  expect(project.titles()).toEqual(["initial", "rename_article_title_to_head", "rename_article_head_to_headline"]);
  await project.database.script(`insert into documents values ('a1', 'api::article.article');
    insert into articles (document_id, created_at, updated_at, published_at, title) values ('a1', now(), now(), now(), 'kept')`);
  await project.migrate();
  expect(await project.database.rows("select headline from articles")).toEqual([["kept"]]);
  await expect(runSquash(project.root, {})).rejects.toThrow("they rename or convert something twice");
  await onBranch();
  await project.change(state("news"));
  project.commit();
  project.git("tag", "v1");
  await project.change(state("story", "news"));
  await project.change(state("tale", "story"));
  project.git("tag", "--delete", "v1");
  expect(project.titles()).toEqual(["initial", "add_article_state", "change_article_state", "change_article_state"]);
});

test("a change that is taken back before it is applied leaves no migration and no flag", async () => {
  const page = { "page/schema.json": schema("page", { title: text }) };
  const rest = { link: { type: "component", component: "shared.link" } };
  const body = { x: text, ...rest };
  const whole = { ...articles(body), ...page, ...link({ url: text, label: text }) };
  const { "page/schema.json": _, ...withoutPage } = whole;
  const changes: readonly [changed: typeof withoutPage, allow: readonly string[]][] = [
    [{ ...whole, ...articles(rest) }, ["drop:article.x"]],
    [withoutPage, ["drop:page"]],
    [{ ...whole, ...link({ url: text }) }, ["drop:shared.link.label"]],
    [{ ...whole, ...articles({ ...body, x: { type: "integer", convert: "length(x)" } }) }, []],
  ];
  await onBranch();
  await project.change(whole);
  project.commit();
  project.git("tag", "v2");
  const before = project.titles();
  for (const [changed, allow] of changes) {
    await project.change(changed, { allow });
    expect(project.titles()).toHaveLength(before.length + 1);
    await project.change(whole);
    expect(project.titles()).toEqual(before);
    if (allow.length > 0) await expect(project.change(changed)).rejects.toThrow(allow[0]);
    await project.change(whole);
  }
  project.git("tag", "--delete", "v2");
});

test("a removal that was applied here and taken back leaves nothing once it is undone, so that other databases lose nothing", async () => {
  await onBranch();
  await project.change(articles({ x: text }));
  await project.migrate();
  project.commit();
  project.git("tag", "v3");
  const before = project.titles();
  await project.change(articles({}), { allow: ["drop:article.x"] });
  await project.migrate();
  const { note } = await project.change(articles({ x: text }));
  expect(note).toMatch(/remove_article_x stays, because a database has it applied; .*`cms migrate squash`/);
  await project.migrate();
  await expect(runSquash(project.root, {})).rejects.toThrow("they change nothing: undo them with `cms migrate down`");
  await project.down();
  await project.down();
  await runSquash(project.root, {});
  expect(project.titles()).toEqual(before);
  await project.migrate();
  expect(await project.database.rows('select "name" from galley_migrations order by "position"')).toEqual(
    project.names().map((name) => [name]),
  );
  project.git("tag", "--delete", "v3");
});

test("squash makes one of what is applied, databases take it for applied, and down undoes it", async () => {
  await onBranch();
  for (const name of ["first", "second"]) {
    await project.change(
      articles(Object.fromEntries(["first", "second"].slice(0, name === "first" ? 1 : 2).map((each) => [each, text]))),
    );
    if (name === "first") await project.migrate();
  }
  expect(project.names()).toHaveLength(3);
  await expect(runSquash(project.root, {})).rejects.toThrow(
    /add_article_second is not applied .* run `cms migrate` first/,
  );
  await project.migrate();
  await runSquash(project.root, { name: "two fields" });
  expect(project.titles()).toEqual(["initial", "two_fields"]);
  await expect(project.down()).rejects.toThrow("run `cms migrate` first");
  await project.migrate();
  expect(printed.join("")).toMatch(/keep .*_two_fields, in the place of .*_add_article_first, .*_add_article_second/);
  expect(await project.database.rows('select "name" from galley_migrations order by "position"')).toEqual(
    project.names().map((name) => [name]),
  );
  await project.down();
  expect(
    await project.database.rows(
      "select column_name from information_schema.columns where table_name = 'articles' and column_name in ('first', 'second')",
    ),
  ).toEqual([]);
});

test("a database that has a part of what was made one is told how to go on", async () => {
  await onBranch();
  await project.change(
    { "article/schema.json": schema("article", { first: text }) },
    { allow: ["drop:article.title"] },
  );
  await project.migrate();
  await project.change({ "article/schema.json": schema("article", { first: text, second: text }) });
  const [initial] = project.names();
  await project.migrate();
  await runSquash(project.root, {});
  await project.database.script(`delete from galley_migrations where name like '%add_article_second'`);
  const refusal = /was made of .*, of which .*_add_article_second is not applied here/;
  await expect(project.migrate()).rejects.toThrow(refusal);
  await expect(project.migrate({ dryRun: true })).rejects.toThrow(refusal);
  await expect(runSquash(project.root, { from: String(initial) })).rejects.toThrow(
    /main branch or a tag has .*_initial/,
  );
  // As after a backup from before the squash: what is left of that is no fault of the database.
  printed.length = 0;
  expect(await runStatus(folderSource(project.root))).toBe(1);
  expect(printed.join("")).toMatch(/applied {2}\d+_remove_article_title\S* \(a part of \d+_\S+\)\n/);
  expect(printed.join("")).not.toContain("drift");
});

test("reset empties a database for development, names what goes, and refuses in production and elsewhere", async () => {
  await onBranch();
  await project.database.script(`create table mine (n serial); create view seen as select * from mine;
    create function f() returns int language sql as 'select 1'; create type mood as enum ('a');
    insert into documents values ('a1', 'api::article.article')`);
  await expect(runReset(project.root, {})).rejects.toThrow(
    "this deletes; nothing was changed:\n  1 document\n  tables that these migrations do not know: mine\nto allow it: --allow-loss",
  );
  vi.stubEnv("NODE_ENV", "production");
  await expect(runReset(project.root, { allowLoss: true })).rejects.toThrow("NODE_ENV is production");
  vi.unstubAllEnvs();
  vi.stubEnv("DATABASE_URL", "postgres://ann@db.example.org/content");
  await expect(runReset(project.root, { allowLoss: true })).rejects.toThrow("--database content");
  vi.unstubAllEnvs();
  expect(await project.database.rows("select count(*)::int from documents")).toEqual([[1]]);
  await runReset(project.root, { allowLoss: true });
  expect(await project.database.rows("select count(*)::int from documents")).toEqual([[0]]);
  expect(
    await project.database.rows(
      "select to_regclass('mine'), to_regclass('seen'), to_regtype('mood'), to_regprocedure('f()')",
    ),
  ).toEqual([[null, null, null, null]]);
  expect(readdirSync(path.join(project.root, "generated", "migrations"))).toEqual(
    (await project.database.rows("select name from galley_migrations")).map(([name]) => name),
  );
});
