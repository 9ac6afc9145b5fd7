/** What is said to a person when something would be lost: in the words of the schema, with what to write or to copy. */
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
