/** What is said to a person when something would be lost: in the words of the schema, with what to write or to copy. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { component, type Files, migrationLab, schema } from "../../support/migration-lab.ts";

const lab = await migrationLab(await freshDatabase("postgres"), afterAll);
const text = { type: "string" };
const refusalOf = (files: Files, allow: readonly string[] = []): Promise<string> =>
  lab.change(files, allow).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

const many = { type: "relation", relation: "manyToMany", target: "api::author.author" };
const seo = { type: "component", component: "shared.seo" };
const author = { "author/schema.json": schema("author", { name: text, bornOn: { type: "date" } }) };
const state = (...values: readonly string[]) => ({ type: "enumeration", enum: values });
const article = (attributes: object, more: object = {}) => ({
  "article/schema.json": schema("article", attributes, more),
});
const before = {
  ...author,
  ...article({
    metaTitle: text,
    byLine: many,
    seo,
    pageCount: { type: "integer" },
    state: state("draft", "in-review"),
  }),
  "components/shared/seo.json": component({ canonicalUrl: text, label: text }),
};

test("flags name attributes, and one line allows all that is refused beside what was allowed already", async () => {
  await lab.change(before);
  const after = { ...author, ...article({ seo }), "components/shared/seo.json": component({ label: text }) };
  const refusal = await refusalOf(after, ["drop:article.pageCount"]);
  const flags = ["drop:shared.seo.canonicalUrl", "drop:article.metaTitle", "drop:article.state", "drop:article.byLine"];
  for (const flag of flags) expect(refusal).toContain(`to allow it: --allow ${flag}\n`);
  const line = refusal.split("\n").at(-1) ?? "";
  expect(line).toMatch(/^ {2}cms generate --allow drop:article\.pageCount --allow /);
  const given = line.split(" ").filter((word) => word.startsWith("drop:"));
  expect(given.toSorted()).toEqual(["drop:article.pageCount", ...flags].toSorted());
  expect(await refusalOf(after, given)).toBe("");
});

test("what vanishes beside something of its shape is proposed as a rename, and nothing else is", async () => {
  await lab.change({ ...before, "note/schema.json": schema("note", { words: { type: "text" } }) }, [
    "drop:article.pageCount",
  ]);
  const after = {
    "writer/schema.json": schema("writer", { name: text, born: { type: "date" } }),
    ...article({
      metaHeadline: { type: "text" },
      summary: { type: "json" },
      authors: { ...many, target: "api::writer.writer" },
      seo: { type: "component", component: "shared.meta" },
      state: state("draft", "in-revision", "gone"),
    }),
    "components/shared/meta.json": component({ canonical: text, label: text }),
  };
  const proposed = (await refusalOf(after)).split("\n").filter((line) => line.includes(": write "));
  expect(proposed).toEqual([
    '  the content type api::author.author as api::writer.writer: write "renamedFrom": "api::author.author" into the info of api::writer.writer',
    '  the component shared.seo as shared.meta: write "renamedFrom": "shared.seo" into the info of shared.meta',
    '  article.metaTitle as article.metaHeadline: write "renamedFrom": "metaTitle" into metaHeadline',
    '  in-review as in-revision in article.state: write "renamedValues": {"in-revision":"in-review"} into state',
  ]);
  const told = {
    ...after,
    "writer/schema.json": schema(
      "writer",
      { name: text, born: { type: "date" } },
      { info: { singularName: "writer", pluralName: "writers", displayName: "W", renamedFrom: "api::author.author" } },
    ),
  };
  const rest = await refusalOf(told);
  expect(rest).toContain('writer.bornOn as writer.born: write "renamedFrom": "bornOn" into born');
  expect(rest).toContain('article.byLine as article.authors: write "renamedFrom": "byLine" into authors');
});

test("a name of before that something else keeps or takes is refused, and not passed over", async () => {
  await lab.change(
    { ...author, ...article({ title: text, subtitle: text }) },
    ["seo", "byLine", "metaTitle", "pageCount", "state"].map((name) => `drop:article.${name}`).concat("drop:note"),
  );
  const info = { singularName: "blog", pluralName: "blogs", displayName: "B", renamedFrom: "article" };
  const blog = { "blog/schema.json": schema("blog", { title: text }, { info }) };
  const shared = await refusalOf({ ...author, ...article({ title: text, subtitle: text }), ...blog });
  expect(shared).toContain("api::blog.blog has");
  expect(shared).toContain("api::article.article, which is still there and keeps its documents");
  expect(shared).not.toContain("needs");
  const two = { a: { ...text, renamedFrom: "subtitle" }, b: { ...text, renamedFrom: "subtitle" } };
  expect(await refusalOf({ ...author, ...article({ title: text, ...two }) })).toContain(
    'api::article.article.b has "renamedFrom": "subtitle", whose values api::article.article.a takes',
  );
  // Once the rename is migrated, the old name may stand for something new, and the line may stay.
  expect(await refusalOf({ ...author, ...blog }, ["drop:article.subtitle", "drop:blog.subtitle"])).toBe("");
  expect(await refusalOf({ ...author, ...article({ title: text }), ...blog })).toBe("");
});

test("what is unique gets no default in content that is there, and titles and sentences tell of it", async () => {
  const words = { type: "text" };
  await lab.change({ ...author, ...article({ title: text, words }) }, ["drop:blog"]);
  const unique = { ...text, unique: true };
  const name = await lab.change({
    ...author,
    ...article({ title: unique, words: { ...words, unique: true }, slug: { ...unique, required: true, default: "x" } }),
  });
  expect(name).toMatch(/^\d+_change_article_title_and_2_more$/);
  const sql = readFileSync(path.join(lab.migrations, name ?? "", "up.sql"), "utf8");
  for (const each of ["title", "words"])
    expect(sql).toContain(`allows each value of articles.${each} once among what is published`);
  expect(sql).toContain("-- Lacks: articles.slug\n");
  expect(sql).not.toContain("'x'");
  const long = "anAttributeWithANameThatIsLongerThanTheNameOfAMigrationMayBe";
  const third = await lab.change({ ...author, ...article({ title: text, [long]: text, b: text }) }, [
    "drop:article.words",
    "drop:article.slug",
  ]);
  expect(third).toMatch(/_and_4_more$/);
  const fourth = await lab.change({ ...author, ...article({ title: text, b: text, [`${long}Thing`]: text }) }, [
    `drop:article.${long}`,
  ]);
  expect(fourth).toMatch(/_remove_article_an_attribute_with_aname_that_\w+_and_1_more$/);
});

test("a component under a new name is still the same one in what holds it", async () => {
  const zone = (...components: readonly string[]) =>
    article({
      title: text,
      parts: { type: "dynamiczone", components },
      one: { type: "component", component: components[0] },
    });
  const name =
    (await lab.change({ ...author, ...zone("shared.seo"), "components/shared/seo.json": component({ label: text }) }, [
      "drop:article.b",
      "drop:article.anAttributeWithANameThatIsLongerThanTheNameOfAMigrationMayBeThing",
    ])) ?? "";
  expect(name).not.toBe("");
  const meta = component({ label: text }, { info: { displayName: "M", renamedFrom: "shared.seo" } });
  const renamed = (await lab.change({ ...author, ...zone("shared.meta"), "components/shared/meta.json": meta })) ?? "";
  const sql = readFileSync(path.join(lab.migrations, renamed, "up.sql"), "utf8");
  expect(sql).toContain("renames the component shared.seo to shared.meta");
  expect(sql).not.toContain("allows entries of");
});
