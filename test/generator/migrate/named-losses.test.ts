/** Changes that take content with them say so, and do nothing before they are allowed to. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, type Files, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases = "postgres") => migrationLab(databases[kind], onTestFinished);

const text = { type: "string" };
const refusalOf = (lab: MigrationLab, files: Files): Promise<string> =>
  lab.change(files).then(
    () => "",
    (error: unknown) => String(error),
  );
const lossesIn = (lab: MigrationLab, name: string | undefined, file: "up.sql" | "down.sql") =>
  lossesOf(readFileSync(path.join(lab.migrations, String(name), file), "utf8"));

const articles = (uidName: string, info: object = {}) => ({
  [`${uidName}/schema.json`]: schema(
    "article",
    { title: text },
    {
      info: { singularName: uidName, pluralName: `${uidName}s`, displayName: "Article", ...info },
    },
  ),
});
const insertArticle = `insert into documents values ('a1', 'api::article.article');
  insert into articles (document_id, created_at, updated_at, published_at, title) values ('a1', now(), now(), now(), 'kept')`;
const readArticles = "select title, type from articles join documents using (document_id)";

test("a type whose table goes on under another uid is offered as a rename, and keeps its documents as one", async () => {
  const lab = await labOn();
  await lab.change(articles("article"));
  await lab.up();
  await lab.run(insertArticle);
  const refusal = await refusalOf(lab, articles("blog"));
  expect(refusal).toContain('write "renamedFrom": "api::article.article" into the info of api::blog.blog');
  expect(refusal).toContain("--allow drop:article");
  await lab.change(articles("blog", { renamedFrom: "api::article.article" }));
  await lab.up();
  expect(await lab.rows(readArticles)).toEqual([["kept", "api::blog.blog"]]);
  await lab.down();
  expect(await lab.rows(readArticles)).toEqual([["kept", "api::article.article"]]);
});

test("documents of a type that goes are named among the losses, with its table and without", async () => {
  const lab = await labOn();
  await lab.change(articles("article"));
  await lab.up();
  await lab.run(insertArticle);
  const taken = await lab.change(articles("blog"), ["drop:article"]);
  expect(lossesIn(lab, taken, "up.sql")).toEqual(["every document of api::article.article"]);
  await lab.up();
  expect(await lab.rows("select count(*)::int from documents")).toEqual([[0]]);
  const gone = await lab.change({ "x/schema.json": schema("x", { title: text }) }, ["drop:blog"]);
  expect(lossesIn(lab, gone, "up.sql")).toEqual(["every document of api::blog.blog", "every row of articles"]);
  expect(lossesIn(lab, gone, "down.sql")).toContain("every document of api::x.x");
});

const one = (target: string) => ({ type: "relation", relation: "oneToOne", target: `api::${target}.${target}` });
const many = (target: string) => ({ type: "relation", relation: "oneToMany", target: `api::${target}.${target}` });
const linked = (target: string) => ({
  "page/schema.json": schema("page", {
    one: one(target),
    many: many(target),
    box: { type: "component", component: "shared.box" },
    zone: { type: "dynamiczone", components: ["shared.box"] },
  }),
  "components/shared/box.json": component({ one: one(target), many: many(target), label: text }),
  "author/schema.json": schema("author", { name: text }),
  "person/schema.json": schema("person", { name: text }),
});

test("a relation that gets another target loses its links by name, in columns, link tables and components", async () => {
  const lab = await labOn();
  await lab.change(linked("author"));
  await lab.up();
  const box = { id: 1, one: "w1", many: ["w1"], label: "kept" };
  await lab.run(`insert into documents values ('p1', 'api::page.page'), ('w1', 'api::author.author');
    insert into pages (document_id, created_at, updated_at, published_at, one_document_id, box, zone)
    values ('p1', now(), now(), now(), 'w1', '${JSON.stringify(box)}', '${JSON.stringify([{ __component: "shared.box", ...box }])}');
    insert into pages_many (version_id, document_id, position) select id, 'w1', 1 from pages`);
  const places = ["pages.one", "pages.many", "shared.box.one", "shared.box.many"];
  const flags = places.map((place) => `drop:${place.replace("pages.", "page.")}`);
  const refusal = await refusalOf(lab, linked("person"));
  for (const flag of flags) expect(refusal).toContain(`--allow ${flag}`);
  const name = await lab.change(linked("person"), flags);
  for (const file of ["up.sql", "down.sql"] as const) {
    expect(lossesIn(lab, name, file).toSorted()).toEqual(places.map((place) => `every link of ${place}`).toSorted());
  }
  await lab.up();
  const emptied = { id: 1, one: null, many: null, label: "kept" };
  expect(await lab.rows("select one_document_id, box::text, zone -> 0 ->> 'one' from pages")).toEqual([
    [null, expect.any(String), null],
  ]);
  const [row] = await lab.rows("select box from pages");
  expect(JSON.parse(String(row?.[0]))).toEqual(emptied);
  expect(await lab.rows("select * from pages_many")).toEqual([]);
});

const bodyOf = (attribute: object) => ({
  "page/schema.json": schema("page", { body: attribute }),
  "components/shared/text.json": component({ words: text }),
  "components/shared/note.json": component({ words: text }),
});
const single = (uid: string) => ({ type: "component", component: uid });
const zone = (...components: readonly string[]) => ({ type: "dynamiczone", components });

test.each([
  ["json", { type: "json" }, single("shared.text")],
  ["blocks", { type: "blocks" }, zone("shared.text")],
  ["a zone", zone("shared.text"), { type: "richtext" }],
  ["a component", single("shared.text"), { type: "json" }],
  ["a password", { type: "password" }, { type: "string" }],
])("%s does not become something that reads it otherwise without a word", async (_name, before, after) => {
  const lab = await labOn();
  await lab.change(bodyOf(before));
  await lab.up();
  expect(await refusalOf(lab, bodyOf(after))).toContain("--allow drop:page.body");
  const name = await lab.change(bodyOf(after), ["drop:page.body"]);
  expect(lossesIn(lab, name, "up.sql")).toEqual(["every value of pages.body"]);
  expect(lossesIn(lab, name, "down.sql")).toEqual(["every value of pages.body"]);
  await lab.up();
  await lab.down();
});

test("a written conversion makes a component of JSON", async () => {
  const lab = await labOn();
  await lab.change(bodyOf({ type: "json" }));
  await lab.up();
  await lab.run(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, body) values ('p1', now(), now(), now(), '{"words":"a"}')`);
  const convert = "json_build_object('id', nextval('component_ids'), 'words', body ->> 'words')";
  const name = await lab.change(bodyOf({ ...single("shared.text"), convert }));
  expect(lossesIn(lab, name, "up.sql")).toEqual([]);
  await lab.up();
  expect(await lab.rows("select body ->> 'words' from pages")).toEqual([["a"]]);
});

test("what comes inside components goes with the way back, by name", async () => {
  const lab = await labOn();
  await lab.change(bodyOf(zone("shared.text")));
  const wider = {
    ...bodyOf(zone("shared.text", "shared.note")),
    "components/shared/text.json": component({ words: text, canonical: text }),
  };
  const name = await lab.change(wider);
  expect(lossesIn(lab, name, "up.sql")).toEqual([]);
  expect(lossesIn(lab, name, "down.sql")).toEqual([
    "entries of shared.note in pages.body",
    "every value of shared.text.canonical",
  ]);
  const narrowed = await lab.change({ ...wider, ...bodyOf(zone("shared.note")) }, [
    "drop:page.body.shared.text",
    "drop:shared.text.canonical",
  ]);
  expect(lossesIn(lab, narrowed, "up.sql")).toEqual(["entries of shared.text in pages.body"]);
});

const boxOf = (attribute: object) => ({
  "page/schema.json": schema("page", { box: single("shared.box"), zone: zone("shared.box") }),
  "components/shared/box.json": component({ state: attribute }),
});
const states = (...values: readonly string[]) => ({ type: "enumeration", enum: values });

test.each(inTurn())("enumerations inside components are checked like columns on %s", async (kind) => {
  const lab = await labOn(kind);
  const store = (state: unknown) =>
    lab.run(`update pages set box = '${JSON.stringify({ id: 1, state: null })}',
      zone = '${JSON.stringify([{ __component: "shared.box", id: 2, state }])}'`);
  await lab.change(boxOf(states("news", "opinion")));
  await lab.up();
  await lab.run(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at) values ('p1', now(), now(), now())`);
  await store("opinion");
  await lab.change(boxOf(states("news")));
  await expect(lab.up()).rejects.toThrow(
    /shared\.box\.state has the value "opinion", which is no longer allowed: .*"renamedValues"/,
  );
  await store("news");
  await lab.up();
  await lab.down();
  await lab.up();
  await lab.change(boxOf({ type: "boolean" }), ["drop:shared.box.state"]);
  await lab.up();
  await store(false);
  await lab.change(boxOf(states("yes", "no")));
  await expect(lab.up()).rejects.toThrow('shared.box.state has the value "false"');
});

test("a text inside a component that is too long for its new type stops the migration, as one in a column does", async () => {
  const lab = await labOn();
  await lab.change(boxOf({ type: "text" }));
  await lab.up();
  const box = JSON.stringify({ id: 1, state: "x".repeat(300) });
  await lab.run(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, box) values ('p1', now(), now(), now(), '${box}')`);
  expect(await refusalOf(lab, boxOf(text))).toContain("--allow narrow:shared.box.state");
  await lab.change(boxOf(text), ["narrow:shared.box.state"]);
  await expect(lab.up()).rejects.toThrow("shared.box.state has a text of 300 characters");
});

test("attributes that processes of the older build do not know are named as left out of what they write", async () => {
  const lab = await labOn();
  const files = (draftAndPublish: boolean, type: object, fields: object, other: object) => ({
    "page/schema.json": schema("page", { box: single("shared.box"), ...type }, { options: { draftAndPublish } }),
    "components/shared/box.json": component({ words: text, ...fields }),
    "components/shared/other.json": component({ words: text, ...other }),
  });
  const older = async (...change: Parameters<typeof files>) => {
    const name = await lab.change(files(...change));
    const sql = readFileSync(path.join(lab.migrations, String(name), "up.sql"), "utf8");
    return /^-- Older: (.*(?:\n-- {8}.*)*)/m.exec(sql)?.[1]?.split(/\n-- +/);
  };
  const goesOn = "processes of that build go on while this runs and after it";
  await lab.change(files(false, {}, {}, {}));
  expect(await older(false, { title: text }, {}, { size: text })).toEqual([goesOn]);
  expect(await older(false, { title: text }, { note: text }, { size: text })).toEqual([
    `${goesOn}, but`,
    "leave out shared.box.note, in entries that they save",
  ]);
  await lab.change(files(true, { title: text }, { note: text }, { size: text }));
  expect(await older(true, { title: text, subtitle: text }, { note: text }, { size: text })).toEqual([
    `${goesOn}, but`,
    "leave out pages.subtitle, in documents that they publish",
  ]);
  const choices = (values: readonly string[], components: readonly string[]) => ({
    title: text,
    subtitle: text,
    state: { type: "enumeration", enum: values },
    zone: { type: "dynamiczone", components },
  });
  await lab.change(files(true, choices(["a"], ["shared.box"]), { note: text }, { size: text }));
  const more = choices(["a", "b"], ["shared.box", "shared.other"]);
  expect(await older(true, more, { note: text }, { size: text })).toEqual([
    `${goesOn}, but`,
    "refuse to publish documents with b in pages.state",
    "refuse to publish documents with entries of shared.other in pages.zone",
  ]);
});
