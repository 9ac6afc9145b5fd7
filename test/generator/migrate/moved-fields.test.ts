/** Fields that move between a type and its components, or between components. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const page = (attributes: object) => ({ "page/schema.json": schema("page", attributes) });
const file = (uid: string) => `components/${uid.replace(".", "/")}.json`;
const single = (uid: string) => ({ type: "component", component: uid });
const repeated = (uid: string) => ({ type: "component", component: uid, repeatable: true });
const text = { type: "string" };

const insert = (lab: MigrationLab, id: string, columns: Readonly<Record<string, string>>) =>
  lab.run(`insert into documents values ('${id}', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, ${Object.keys(columns).join(", ")})
    values ('${id}', now(), now(), now(), ${Object.values(columns).join(", ")})`);
const json = (value: unknown): string => `'${JSON.stringify(value)}'`;

/** A field of each kind: its schema, its value in a column, and in a component. */
const kinds = {
  title: [text, "'it''s'", "it's"],
  count: [{ type: "integer" }, "7", 7],
  big: [{ type: "biginteger" }, "9007199254740993", "9007199254740993"],
  price: [{ type: "decimal" }, "12.34", 12.34],
  day: [{ type: "date" }, "'2026-01-02'", "2026-01-02"],
  at: [{ type: "datetime" }, "'2026-01-02 03:04:05.678'", "2026-01-02T03:04:05.678Z"],
  hour: [{ type: "time" }, "'10:11:12.5'", "10:11:12.500"],
  yes: [{ type: "boolean" }, "true", true],
  data: [{ type: "json" }, `'{"a":[1,null]}'`, { a: [1, null] }],
  cover: [{ type: "media" }, "(select id from files)", 1],
  link: [single("shared.link"), `'{"id":5,"url":"/x"}'`, { id: 5, url: "/x" }],
} as const;

const link = { [file("shared.link")]: component({ url: text }) };
const fields = (more: (name: string) => object = () => ({})) =>
  Object.fromEntries(Object.entries(kinds).map(([name, [options]]) => [name, { ...options, ...more(name) }]));
const columnOf = (name: string) => (name === "cover" ? "cover_id" : name);
const columns = Object.keys(kinds).map(columnOf);
const columnValues = Object.fromEntries(Object.entries(kinds).map(([name, [, sql]]) => [columnOf(name), sql]));
const entry = Object.fromEntries(Object.entries(kinds).map(([name, [, , value]]) => [name, value]));

const addFile = `truncate files restart identity cascade;
  insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
  values ('f1', 'a.png', 'a', 'image/png', 1, '/a.png', 'local', now(), now())`;

test.each(inTurn())("attributes move into a new component and out of it again on %s", async (kind) => {
  const lab = await labOn(kind);
  const flat = page({ name: text, ...fields() });
  const nested = page({ name: text, meta: single("shared.meta") });
  await lab.change({ ...flat, ...link });
  await lab.up();
  await lab.run(addFile);
  await insert(lab, "p1", { name: "'one'", ...columnValues });
  await insert(lab, "p2", { name: "'two'" });
  const own = () => lab.rows(`select ${columns.join(", ")} from pages order by document_id`);
  const before = await own();

  const meta = component(fields((name) => ({ renamedFrom: `page.${name}` })));
  await lab.change({ ...nested, ...link, [file("shared.meta")]: meta });
  await lab.up();
  const stored = await lab.rows("select meta from pages order by document_id");
  const values = stored.map(([value]) => (value === null ? null : JSON.parse(String(value))));
  expect(values).toEqual([{ id: expect.any(Number), ...entry }, null]);
  await lab.down();
  expect(await own()).toEqual(before);

  await lab.up();
  await lab.change({ ...page({ name: text, ...fields((name) => ({ renamedFrom: `shared.meta.${name}` })) }), ...link });
  await lab.up();
  expect(await own()).toEqual(before);
  await lab.down();
  const [again] = await lab.rows("select meta from pages order by document_id");
  expect(JSON.parse(String(again?.[0]))).toEqual({ id: expect.any(Number), ...entry });
});

test.each(inTurn())("a field moves between components beside each other on %s", async (kind) => {
  const lab = await labOn(kind);
  const both = page({ seo: single("shared.seo"), og: single("shared.og") });
  await lab.change({
    ...both,
    [file("shared.seo")]: component({ title: text, image: text }),
    [file("shared.og")]: component({ label: text }),
  });
  await lab.up();
  await insert(lab, "p1", { seo: json({ id: 1, title: "a", image: "/a" }), og: json({ id: 2, label: "b" }) });
  await insert(lab, "p2", { seo: json({ id: 3, title: "c", image: "/c" }), og: "null" });
  await insert(lab, "p3", { seo: "null", og: json({ id: 4, label: "d" }) });
  await lab.change({
    ...both,
    [file("shared.seo")]: component({ title: text }),
    [file("shared.og")]: component({ label: text, picture: { ...text, renamedFrom: "shared.seo.image" } }),
  });
  await lab.up();
  const read = async () =>
    (await lab.rows("select seo, og from pages order by document_id")).map((row) =>
      row.map((value) => (value === null ? null : JSON.parse(String(value)))),
    );
  expect(await read()).toEqual([
    [
      { id: 1, title: "a" },
      { id: 2, label: "b", picture: "/a" },
    ],
    [
      { id: 3, title: "c" },
      { id: expect.any(Number), picture: "/c" },
    ],
    [null, { id: 4, label: "d" }],
  ]);
  await lab.down();
  expect(await read()).toEqual([
    [
      { id: 1, title: "a", image: "/a" },
      { id: 2, label: "b" },
    ],
    [{ id: 3, title: "c", image: "/c" }, { id: expect.any(Number) }],
    [null, { id: 4, label: "d" }],
  ]);
});

test.each(inTurn())(
  "a field leaves a component inside entries of a zone, which is renamed meanwhile, on %s",
  async (kind) => {
    const lab = await labOn(kind);
    const zone = page({ sections: { type: "dynamiczone", components: ["blocks.hero"] } });
    await lab.change({
      ...zone,
      [file("shared.link")]: component({ url: text, label: text }),
      [file("blocks.hero")]: component({ heading: text, main: single("shared.link") }),
    });
    await lab.up();
    const sections = [
      { __component: "blocks.hero", id: 1, heading: "h", main: { id: 2, url: "/2", label: "l" } },
      { __component: "blocks.hero", id: 3, heading: "i", main: null },
    ];
    await insert(lab, "p1", { sections: json(sections) });
    await lab.change({
      ...zone,
      [file("shared.link")]: component({ label: text }),
      [file("blocks.hero")]: component({
        heading: text,
        href: { ...text, renamedFrom: "shared.link.url" },
        button: { ...single("shared.link"), renamedFrom: "main" },
      }),
    });
    await lab.up();
    const read = async () => JSON.parse(String((await lab.rows("select sections from pages"))[0]?.[0]));
    expect(await read()).toEqual([
      { __component: "blocks.hero", id: 1, heading: "h", href: "/2", button: { id: 2, label: "l" } },
      { __component: "blocks.hero", id: 3, heading: "i", href: null, button: null },
    ]);
    await lab.down();
    expect(await read()).toEqual(sections);
  },
);

test("what cannot be told or done is refused with the reason", async () => {
  const lab = await labOn("pglite");
  const hero = (more: object) => component({ heading: text, ...more });
  const from = { ...text, renamedFrom: "shared.link.url" };
  const change = (attributes: object, links: object, more: object = {}) =>
    lab.change({
      ...page({ hero: single("blocks.hero"), ...attributes }),
      [file("shared.link")]: component({ label: text, ...links }),
      [file("blocks.hero")]: hero(more),
    });
  const two = { a: single("shared.link"), b: single("shared.link") };
  const many = { all: repeated("shared.link") };
  await change({ ...two, ...many }, { url: text });
  await expect(change({ ...two, ...many }, {}, { url: from })).rejects.toThrow(
    "shared.link.url cannot move to blocks.hero.url in api::page.page: a.url and b.url to hero.url is not one place to one place",
  );
  // Nothing tells which of several entries would be the one.
  await expect(change({ a: two.a, ...many }, {}, { url: from })).rejects.toThrow("--allow drop:shared.link.url");
  const number = { type: "integer", renamedFrom: "shared.link.url" };
  await expect(change({ ...two, ...many }, {}, { url: number })).rejects.toThrow("shared.link.url cannot move");

  const one = await labOn("pglite");
  const simple = (links: object, more: object) =>
    one.change({
      ...page({ hero: single("blocks.hero"), a: single("shared.link") }),
      [file("shared.link")]: component({ label: text, ...links }),
      [file("blocks.hero")]: hero(more),
    });
  await simple({ url: text }, {});
  await expect(simple({}, { url: number })).rejects.toThrow(
    "move it first, and change its type or its values in a second migration",
  );
});

test("a list of files cannot move from a type into a component by itself", async () => {
  const lab = await labOn("pglite");
  const images = { type: "media", multiple: true };
  await lab.change({
    ...page({ images, box: single("shared.box") }),
    [file("shared.box")]: component({ label: text }),
  });
  await expect(
    lab.change({
      ...page({ box: single("shared.box") }),
      [file("shared.box")]: component({ label: text, images: { ...images, renamedFrom: "page.images" } }),
    }),
  ).rejects.toThrow("move them with SQL of your own (cms migrate new)");
});
