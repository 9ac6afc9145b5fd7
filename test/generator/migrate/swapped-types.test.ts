/** Types and components that trade places in one change, or follow one another: `a` comes from `b`, and `b` from `a`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const text = { type: "string" };
const number = { type: "integer" };
const link = (relation: string) => ({ type: "relation", relation, target: "api::tag.tag" });
const json = (value: unknown): string => JSON.stringify(value);

const article = (attributes: object, renamedFrom?: string) =>
  schema("article", attributes, {
    info: { singularName: "article", pluralName: "articles", displayName: "A", renamedFrom },
  });
const note = (attributes: object, renamedFrom?: string) =>
  schema("note", attributes, { info: { singularName: "note", pluralName: "notes", displayName: "N", renamedFrom } });
const owners = (isSwapped: boolean) => {
  const [first, second] = isSwapped ? ["note", "article"] : ["article", "note"];
  const [hero, quote] = isSwapped ? ["shared.quote", "shared.hero"] : ["shared.hero", "shared.quote"];
  const articleIs = {
    title: { ...text, unique: true },
    tags: link("oneToMany"),
    self: { ...link("manyToMany"), target: `api::${first}.${first}` },
  };
  const noteIs = { words: text, tags: link("oneToMany"), about: { type: "relation", relation: "morphToOne" } };
  const heroIs = { head: text };
  const quoteIs = { words: text, by: number };
  const told = (from: string) => (isSwapped ? { info: { displayName: "C", renamedFrom: from } } : {});
  return {
    "article/schema.json": isSwapped ? article(noteIs, "note") : article(articleIs),
    "note/schema.json": isSwapped ? note(articleIs, "api::article.article") : note(noteIs),
    "tag/schema.json": schema("tag", {
      label: text,
      best: { ...link("oneToOne"), target: `api::${first}.${first}` },
      worst: { ...link("oneToOne"), target: `api::${second}.${second}` },
      hero: { type: "component", component: hero },
      quotes: { type: "component", component: quote, repeatable: true },
      zone: { type: "dynamiczone", components: ["shared.hero", "shared.quote"] },
    }),
    "components/shared/hero.json": component(isSwapped ? quoteIs : heroIs, told("shared.quote")),
    "components/shared/quote.json": component(isSwapped ? heroIs : quoteIs, told("hero")),
  };
};

const expected = (articleUid: string, noteUid: string, hero: string, quote: string) => ({
  article: [["an article", "t1"]],
  note: [["a note", "a1", articleUid]],
  types: [
    ["a1", articleUid],
    ["n1", noteUid],
    ["t1", "api::tag.tag"],
  ],
  tag: [
    "a1",
    "n1",
    { id: 1, head: "h" },
    [{ id: 2, words: "w", by: 3 }],
    [
      { __component: hero, id: 4, head: "h" },
      { __component: quote, id: 5, words: "w", by: 6 },
    ],
  ],
});

test.each(inTurn())("types with their tables, and components, trade places on %s", async (kind) => {
  const lab = await migrationLab(databases[kind], onTestFinished);
  await lab.change(owners(false));
  await lab.up();
  await lab.run(`insert into documents values ('a1', 'api::article.article'), ('n1', 'api::note.note'), ('t1', 'api::tag.tag');
    insert into articles (document_id, created_at, updated_at, published_at, title) values ('a1', now(), now(), now(), 'an article');
    insert into notes (document_id, created_at, updated_at, published_at, words, about_document_id, about_type)
      values ('n1', now(), now(), now(), 'a note', 'a1', 'api::article.article');
    insert into articles_tags (version_id, document_id, position) select id, 't1', 1 from articles;
    insert into tags (document_id, created_at, updated_at, published_at, best_document_id, worst_document_id, hero, quotes, zone)
      values ('t1', now(), now(), now(), 'a1', 'n1', '{"id":1,"head":"h"}', '[{"id":2,"words":"w","by":3}]',
        '[{"__component":"shared.hero","id":4,"head":"h"},{"__component":"shared.quote","id":5,"words":"w","by":6}]')`);
  const read = async (articles: string, notes: string) => ({
    article: await lab.rows(`select title, (select document_id from ${articles}_tags) from ${articles}`),
    note: await lab.rows(`select words, about_document_id, about_type from ${notes}`),
    types: await lab.rows("select document_id, type from documents order by 1"),
    tag: (await lab.rows("select best_document_id, worst_document_id, hero, quotes, zone from tags"))[0]?.map((value) =>
      /^[[{]/.test(String(value)) ? JSON.parse(String(value)) : value,
    ),
  });
  const name = String(await lab.change(owners(true)));
  for (const file of ["up.sql", "down.sql"])
    expect(lossesOf(readFileSync(path.join(lab.migrations, name, file), "utf8"))).toEqual([]);
  for (const _ of [1, 2]) {
    await lab.up();
    expect(await read("notes", "articles")).toEqual(
      expected("api::note.note", "api::article.article", "shared.quote", "shared.hero"),
    );
    await lab.down();
    expect(await read("articles", "notes")).toEqual(
      expected("api::article.article", "api::note.note", "shared.hero", "shared.quote"),
    );
  }
  await lab.up();
  expect(await lab.change(owners(true))).toBe(undefined);
});

const chain = (isMoved: boolean) => {
  const values = isMoved ? { enum: ["b", "c"], renamedValues: { b: "a", c: "b" } } : { enum: ["a", "b"] };
  const moods = { type: "enumeration", ...values };
  const [first, second] = isMoved ? ["shared.two", "shared.three"] : ["shared.one", "shared.two"];
  const from = (renamedFrom: string) => (isMoved ? { info: { displayName: "C", renamedFrom } } : {});
  return {
    ...(isMoved
      ? {
          "note/schema.json": note({ title: text }, "article"),
          "story/schema.json": schema(
            "story",
            { words: text, moods },
            {
              collectionName: "stories",
              info: { singularName: "story", pluralName: "stories", displayName: "S", renamedFrom: "note" },
            },
          ),
        }
      : { "article/schema.json": article({ title: text }), "note/schema.json": note({ words: text, moods }) }),
    "tag/schema.json": schema("tag", { zone: { type: "dynamiczone", components: [first, second] } }),
    [`components/shared/${isMoved ? "two" : "one"}.json`]: component({ label: text }, from("one")),
    [`components/shared/${isMoved ? "three" : "two"}.json`]: component({ moods }, from("two")),
  };
};

const zone = (one: string, two: string, mood: string) => [
  { __component: one, id: 1, label: "x" },
  { __component: two, id: 2, moods: mood },
];

test("types, components and values follow one another in chains", async () => {
  const lab = await migrationLab(databases.postgres, onTestFinished);
  await lab.change(chain(false));
  await lab.up();
  await lab.run(`insert into documents values ('a1', 'api::article.article'), ('n1', 'api::note.note'), ('n2', 'api::note.note'), ('t1', 'api::tag.tag');
    insert into articles (document_id, created_at, updated_at, published_at, title) values ('a1', now(), now(), now(), 'an article');
    insert into notes (document_id, created_at, updated_at, published_at, words, moods)
      values ('n1', now(), now(), now(), 'a note', 'a'), ('n2', now(), now(), now(), 'another', 'b');
    insert into tags (document_id, created_at, updated_at, published_at, zone) values ('t1', now(), now(), now(), '${json(zone("shared.one", "shared.two", "a"))}')`);
  await lab.change(chain(true));
  await lab.up();
  const zoneNow = async () => JSON.parse(String((await lab.rows("select zone from tags"))[0]?.[0]));
  expect(await lab.rows("select document_id, type from documents order by 1")).toEqual([
    ["a1", "api::note.note"],
    ["n1", "api::story.story"],
    ["n2", "api::story.story"],
    ["t1", "api::tag.tag"],
  ]);
  expect(await lab.rows("select words, moods from stories order by 1")).toEqual([
    ["a note", "b"],
    ["another", "c"],
  ]);
  expect(await lab.rows("select title from notes")).toEqual([["an article"]]);
  expect(await zoneNow()).toEqual(zone("shared.two", "shared.three", "b"));
  await lab.down();
  expect(await lab.rows("select words, moods from notes order by 1")).toEqual([
    ["a note", "a"],
    ["another", "b"],
  ]);
  expect(await zoneNow()).toEqual(zone("shared.one", "shared.two", "a"));
});
