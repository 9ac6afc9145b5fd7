/** Components and dynamic zones, whose values are JSON in the rows of their owners. */
import { expect, onTestFinished, test } from "vitest";
import type { Value } from "../../../runtime/database/database.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const page = (attributes: object) => ({ "page/schema.json": schema("page", attributes) });
const file = (uid: string) => `components/${uid.replace(".", "/")}.json`;

const insert = (lab: MigrationLab, values: Readonly<Record<string, unknown>>) =>
  lab.run(`insert into documents values ('p1', 'api::page.page') on conflict do nothing;
    insert into pages (document_id, created_at, updated_at, published_at, ${Object.keys(values).join(", ")})
    values ('p1', now(), now(), now(), ${Object.values(values)
      .map((value) => `'${JSON.stringify(value)}'`)
      .join(", ")})`);

const parse = (value: Value | undefined): unknown => (typeof value === "string" ? JSON.parse(value) : value);
const read = async (lab: MigrationLab, ...columns: readonly string[]) => {
  const [row] = await lab.rows(`select ${columns.join(", ")} from pages`);
  return row?.map(parse);
};

const single = (uid: string) => ({ type: "component", component: uid });
const repeated = (uid: string) => ({ type: "component", component: uid, repeatable: true });
const zone = (...components: string[]) => ({ type: "dynamiczone", components });

const link = component({ label: { type: "string" }, url: { type: "string" } });
const renamedLink = component({ label: { type: "string" }, href: { type: "string", renamedFrom: "url" } });
const hero = component({ heading: { type: "string" }, links: repeated("shared.link"), main: single("shared.link") });

const everywhere = page({
  one: single("shared.link"),
  list: repeated("shared.link"),
  deep: single("blocks.hero"),
  sections: zone("shared.link", "blocks.hero"),
});
const withUrl = (key: string) => {
  const entry = (id: number) => ({ id, label: "x", [key]: `/${id}` });
  const heroEntry = { id: 10, heading: "h", links: [entry(11), entry(12)], main: null };
  return {
    one: entry(1),
    list: [entry(2), entry(3)],
    deep: heroEntry,
    sections: [
      { __component: "shared.link", ...entry(4) },
      { __component: "blocks.hero", ...heroEntry },
    ],
  };
};
const columns = ["one", "list", "deep", "sections"];

test.each(inTurn())("a renamed field of a component is renamed in every value on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change({ ...everywhere, [file("shared.link")]: link, [file("blocks.hero")]: hero });
  await lab.up();
  await insert(lab, withUrl("url"));
  const name = await lab.change({ ...everywhere, [file("shared.link")]: renamedLink, [file("blocks.hero")]: hero });
  expect(name).toMatch(/_rename_link_url_to_href$/);
  await lab.up();
  expect(await read(lab, ...columns)).toEqual(Object.values(withUrl("href")));
  // The order of keys is part of the answer that clients see.
  expect(Object.keys(Object(await read(lab, "one").then((row) => row?.[0])))).toEqual(["id", "label", "href"]);
  await lab.down();
  expect(await read(lab, ...columns)).toEqual(Object.values(withUrl("url")));
});

const oneLink = (shared: object) => ({ ...page({ one: single("shared.link") }), [file("shared.link")]: shared });

test.each(inTurn())("fields are added silently and removed only when that is allowed on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(oneLink(component({ label: { type: "string" } })));
  await lab.up();
  await insert(lab, { one: { id: 1, label: "a" } });
  expect(await lab.change(oneLink(link))).toMatch(/_add_link_url$/);
  await lab.up();
  await lab.run(`update pages set one = '{"id":1,"label":"a","url":"/x"}'`);
  await expect(lab.change(oneLink(component({ label: { type: "string" } })))).rejects.toThrow(
    "--allow drop:shared.link.url",
  );
  await lab.change(oneLink(component({ label: { type: "string" } })), ["drop:shared.link.url"]);
  await lab.up();
  expect(await read(lab, "one")).toEqual([{ id: 1, label: "a" }]);
});

const bodyOf = (attribute: object) => ({ ...page({ body: attribute }), [file("shared.link")]: link });

test.each(inTurn())("a component becomes a list, a list a zone, and back, on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(bodyOf(single("shared.link")));
  await lab.up();
  const entry = { id: 1, label: "a", url: "/a" };
  await insert(lab, { body: entry });
  await lab.change(bodyOf(repeated("shared.link")));
  await lab.up();
  expect(await read(lab, "body")).toEqual([[entry]]);
  await lab.down();
  expect(await read(lab, "body")).toEqual([entry]);
  await lab.up();
  await lab.change(bodyOf(zone("shared.link")));
  await lab.up();
  expect(await read(lab, "body")).toEqual([[{ __component: "shared.link", ...entry }]]);
  await lab.change(bodyOf(repeated("shared.link")));
  await lab.up();
  expect(await read(lab, "body")).toEqual([[entry]]);
  await lab.change(bodyOf(zone("shared.link")));
  await lab.up();
  const second = { __component: "shared.link", id: 2, label: "b", url: "/b" };
  await lab.run(`update pages set body = '${JSON.stringify([{ __component: "shared.link", ...entry }, second])}'`);
  await expect(lab.change(bodyOf(single("shared.link")))).rejects.toThrow("--allow narrow:page.body");
  await lab.change(bodyOf(single("shared.link")), ["narrow:page.body"]);
  await lab.up();
  expect(await read(lab, "body")).toEqual([entry]);
  await lab.down();
  expect(await read(lab, "body")).toEqual([[{ __component: "shared.link", ...entry }]]);
});

test.each(inTurn())("a renamed component keeps its name in zones right on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change({ ...page({ sections: zone("shared.link") }), [file("shared.link")]: link });
  await lab.up();
  await insert(lab, { sections: [{ __component: "shared.link", id: 1, label: "a", url: "/a" }] });
  const renamed = component(
    { label: { type: "string" }, url: { type: "string" } },
    {
      info: { displayName: "Anchor", renamedFrom: "link" },
    },
  );
  await lab.change({ ...page({ sections: zone("shared.anchor") }), [file("shared.anchor")]: renamed });
  await lab.up();
  expect(await read(lab, "sections")).toEqual([[{ __component: "shared.anchor", id: 1, label: "a", url: "/a" }]]);
  await lab.down();
  expect(await read(lab, "sections")).toEqual([[{ __component: "shared.link", id: 1, label: "a", url: "/a" }]]);
});

const sectionsOf = (...components: string[]) => ({
  ...page({ sections: zone(...components) }),
  [file("shared.link")]: link,
  [file("shared.note")]: component({ text: { type: "text" } }),
});

test.each(inTurn())("entries leave a zone only when that is allowed on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(sectionsOf("shared.link", "shared.note"));
  await lab.up();
  const note = { __component: "shared.note", id: 2, text: "kept" };
  await insert(lab, { sections: [{ __component: "shared.link", id: 1 }, note] });
  await expect(lab.change(sectionsOf("shared.note"))).rejects.toThrow("--allow drop:page.sections.shared.link");
  await lab.change(sectionsOf("shared.note"), ["drop:page.sections.shared.link"]);
  await lab.up();
  expect(await read(lab, "sections")).toEqual([[note]]);
});

const anchors = (attribute: object) => ({
  ...page({ sections: attribute }),
  [file("shared.anchor")]: component(
    { label: { type: "string" }, href: { type: "string", renamedFrom: "url" } },
    { info: { displayName: "Anchor", renamedFrom: "link" } },
  ),
});

test.each(inTurn())("a zone becomes a list of the one component that is allowed to stay on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(sectionsOf("shared.link", "shared.note"));
  await lab.up();
  const entry = { __component: "shared.link", id: 1, label: "a", url: "/a" };
  await insert(lab, { sections: [{ __component: "shared.note", id: 2, text: "gone" }, entry] });
  const flags = ["drop:page.sections.shared.note", "drop:shared.note"];
  await expect(lab.change(anchors(repeated("shared.anchor")))).rejects.toThrow(`--allow ${flags[0]}`);
  await lab.change(anchors(repeated("shared.anchor")), flags);
  await lab.up();
  expect(await read(lab, "sections")).toEqual([[{ id: 1, label: "a", href: "/a" }]]);
  await lab.down();
  expect(await read(lab, "sections")).toEqual([[entry]]);
});

const states = (enumeration: object) => ({
  ...everywhere,
  [file("shared.link")]: component({ state: { type: "enumeration", ...enumeration } }),
  [file("blocks.hero")]: hero,
});

const withState = (state: string) => {
  const heroEntry = {
    id: 10,
    heading: "h",
    links: [
      { id: 11, state },
      { id: 12, state: "news" },
    ],
    main: null,
  };
  return {
    one: { id: 1, state },
    list: [{ id: 2, state }],
    deep: heroEntry,
    sections: [
      { __component: "shared.link", id: 4, state },
      { __component: "blocks.hero", ...heroEntry },
    ],
  };
};

test.each(inTurn())("a renamed value of an enumeration is renamed in every component on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(states({ enum: ["news", "opinion"] }));
  await lab.up();
  await insert(lab, withState("opinion"));
  await lab.change(states({ enum: ["news", "comment"], renamedValues: { comment: "opinion" } }));
  await lab.up();
  expect(await read(lab, ...columns)).toEqual(Object.values(withState("comment")));
  await lab.down();
  expect(await read(lab, ...columns)).toEqual(Object.values(withState("opinion")));
});

const keeping = (names: readonly string[]) => ({
  "page/schema.json": schema("page", { box: single("shared.box") }, { options: { history: true } }),
  [file("shared.box")]: component({ state: { type: "enumeration", enum: names } }),
});

test("a value in versions that is not allowed any more does not stop a migration", async () => {
  const lab = await labOn("postgres");
  await lab.change(keeping(["news", "opinion"]));
  await lab.up();
  await lab.run(`insert into document_versions (type, document_id, locale, status, action, at, content)
    values ('api::page.page', 'a', '', 'published', 'create', now(), '{"id":1,"box":{"id":2,"state":"opinion"}}')`);
  await lab.change(keeping(["news"]));
  await lab.up();
  expect(await lab.rows("select content->'box'->>'state' from document_versions")).toEqual([["opinion"]]);
});

const boxOf = (attributes: object) => ({
  ...page({ box: single("shared.box") }),
  [file("shared.box")]: component(attributes),
});

test.each(inTurn())("a field changes its type inside JSON on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(boxOf({ size: { type: "integer" }, price: { type: "string" }, note: { type: "string" } }));
  await lab.up();
  await insert(lab, { box: { id: 1, size: 4, price: "12 EUR", note: null } });
  await expect(
    lab.change(boxOf({ size: { type: "string" }, price: { type: "integer" }, note: { type: "text" } })),
  ).rejects.toThrow("--allow drop:shared.box.price");
  const convert = "split_part(value, ' ', 1)::integer";
  await lab.change(boxOf({ size: { type: "string" }, price: { type: "integer", convert }, note: { type: "text" } }));
  await lab.up();
  expect(await read(lab, "box")).toEqual([{ id: 1, size: "4", price: 12, note: null }]);
  await lab.down();
  expect(await read(lab, "box")).toEqual([{ id: 1, size: 4, price: "12", note: null }]);
});

test("a component may be called table, and hold another", async () => {
  const lab = await labOn("postgres");
  await lab.change({
    ...page({ body: single("sections.table") }),
    [file("sections.table")]: component({ cells: repeated("sections.cell") }),
    [file("sections.cell")]: component({ label: { type: "string" } }),
  });
  await lab.up();
});
