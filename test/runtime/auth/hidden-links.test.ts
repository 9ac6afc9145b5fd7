/**
 * Whoever sends back what it has read changes nothing: links to documents that it may not read stay, wherever they are
 * stored, unless another takes their place.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { can } from "../../../runtime/access/row-rules.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { createTables, tablesOf } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { exampleApp, type ExampleApp } from "../../support/example-app.ts";
import { applicationOf } from "../../support/render-project.ts";
import { folderOfRun } from "../../support/run-folder.ts";
import { writeFiles } from "../../support/workspace.ts";

const schema = (name: string, attributes: object): [string, string] => [
  `content-types/${name}/schema.json`,
  JSON.stringify({
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: name === "page" },
    attributes,
  }),
];
const component = (name: string, attributes: object): [string, string] => [
  `content-types/components/shared/${name}.json`,
  JSON.stringify({ info: { displayName: name }, attributes }),
];
const note = { type: "relation", target: "api::note.note" };
const links = {
  label: { type: "string" },
  one: { ...note, relation: "oneToOne" },
  many: { ...note, relation: "oneToMany" },
  any: { type: "relation", relation: "morphToOne" },
  anys: { type: "relation", relation: "morphToMany" },
};
const files = [
  schema("note", {
    title: { type: "string" },
    shelf: { type: "relation", relation: "manyToOne", target: "api::shelf.shelf", inversedBy: "notes" },
    stand: { type: "relation", relation: "oneToOne", target: "api::shelf.shelf", inversedBy: "stood" },
  }),
  schema("shelf", {
    notes: { ...note, relation: "oneToMany", mappedBy: "shelf" },
    stood: { ...note, relation: "oneToOne", mappedBy: "stand" },
  }),
  schema("page", {
    ...links,
    box: { type: "component", component: "shared.box" },
    sections: { type: "dynamiczone", components: ["shared.links"] },
  }),
  component("box", { inner: { type: "component", component: "shared.links" } }),
  component("links", links),
];

const config: ConfigInput = {
  graphql: { format: "flat" },
  permissions: {
    public: [can("api::note.note.find", { where: () => ({ title: { $ne: "Hidden" } }) })],
  },
};

const folder = await folderOfRun("links");
writeFiles(folder, files);
const application = await applicationOf(folder, "flat");

const documentIn = z.object({ data: z.looseObject({ documentId: z.string() }) });

const serve = async (kind: (typeof bothDatabases)[number]) => {
  const database = await freshDatabase(kind, afterAll);
  await createTables(database, tablesOf(application));
  const app = await exampleApp(afterAll, database, config, application);
  const full = await app.token();
  await app.allowPublic(
    ...["note.note", "shelf.shelf", "page.page"].flatMap((uid) =>
      ["find", "findOne", "update"].map((action) => `api::${uid}.${action}`),
    ),
    "api::page.page.publish",
    "api::page.page.readDraft",
  );
  const make = async (name: string, data: object) => {
    const answer = await app.send("POST", `/api/${name}`, { token: full, body: { data } });
    expect(answer.status, answer.text).toBe(201);
    return documentIn.parse(answer.body).data.documentId;
  };
  const noteIds: Record<string, string> = {};
  for (const title of ["Hidden", "Seen", "Other"]) noteIds[title] = await make("notes", { title });
  return { app, full, make, note: (title: string) => noteIds[title] ?? "" };
};

describe.each(bothDatabases)("on %s", (kind) => {
  let app: ExampleApp;
  let world: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    world = await serve(kind);
    ({ app } = world);
  });

  const POPULATE = `populate[one]=true&populate[many]=true&populate[any]=true&populate[anys]=true&populate[box][populate][inner][populate]=*&populate[sections][on][shared.links][populate]=*`;
  // Entries of drafts and of published versions have ids of their own, and a body is written into the draft.
  const read = async (id: string, token?: string, path = "pages", status = "draft") => {
    const query = path === "pages" ? `${POPULATE}&status=${status}` : "populate=*";
    const answer = await app.send("GET", `/api/${path}/${id}?${query}`, token === undefined ? {} : { token });
    return documentIn.parse(answer.body).data;
  };
  const put = async (path: string, data: object) => {
    const answer = await app.send("PUT", `/api/${path}`, { body: { data } });
    expect(answer.status, answer.text).toBe(200);
  };
  /** The titles of linked notes, wherever they stand. */
  const titlesIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(titlesIn).toSorted();
    if (typeof value !== "object" || value === null) return value;
    if ("title" in value) return value.title;
    const own = Object.entries(value).filter(([name]) => !/^(?:id|documentId|\w+At|locale)$/.test(name));
    return Object.fromEntries(own.map(([name, each]) => [name, titlesIn(each)]));
  };
  const linked = (...titles: string[]) => {
    const keys = titles.map((title) => world.note(title));
    const anys = keys.map((documentId) => ({ __type: "api::note.note", documentId }));
    return { one: keys[0], many: keys, any: anys[0], anys };
  };
  const makePage = async (...titles: string[]) => {
    const all = linked(...titles);
    const inside = { ...all, label: "kept" };
    const sections = [{ __component: "shared.links", ...inside }];
    const data = { ...all, box: { inner: inside }, sections };
    const created = await anyDocuments(app.services)("api::page.page").create({ data });
    return z.object({ documentId: z.string() }).parse(created).documentId;
  };
  /** What was read as a body: each document by its id. */
  const bodyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bodyOf);
    if (typeof value !== "object" || value === null) return value;
    if ("title" in value && "documentId" in value) {
      const { documentId } = value;
      return "__type" in value ? { __type: "api::note.note", documentId } : documentId;
    }
    // Clients may not write a single relation to any type.
    const names = new Set(["id", "__component", "label", "one", "many", "anys", "box", "inner", "sections"]);
    const own = Object.entries(value).filter(([name]) => names.has(name));
    return Object.fromEntries(own.map(([name, each]) => [name, bodyOf(each)]));
  };
  const readAsBody = async (id: string) => {
    const { id: _row, ...body } = z
      .looseObject({ box: z.looseObject({ id: z.number() }) })
      .parse(bodyOf(await read(id)));
    return body;
  };

  test("what was read is sent back over REST, and no hidden link is lost", async () => {
    const id = await makePage("Hidden", "Seen");
    const before = titlesIn(await read(id, world.full));
    expect(JSON.stringify(before).split("Hidden")).toHaveLength(13);
    const seen = await readAsBody(id);
    expect(JSON.stringify(seen)).not.toContain(world.note("Hidden"));
    expect(seen).toMatchObject({ one: null, many: [world.note("Seen")], box: { inner: { one: null } } });
    for (const [name, value] of Object.entries(seen)) {
      await put(`pages/${id}`, { [name]: value });
      for (const status of ["draft", "published"]) {
        expect([name, status, titlesIn(await read(id, world.full, "pages", status))]).toEqual([name, status, before]);
      }
    }
    await put(`pages/${id}?status=draft`, seen);
    await put(`pages/${id}`, seen);
    expect(titlesIn(await read(id, world.full))).toEqual(before);
  });

  test("another target takes the place of a hidden one, and lists keep it", async () => {
    const id = await makePage("Hidden", "Seen");
    const { sections, box } = await readAsBody(id);
    const entry = z.object({ id: z.number() });
    const [section] = z.array(entry).parse(sections);
    const { id: outer, inner } = z.object({ id: z.number(), inner: entry }).parse(box);
    const { any: _any, ...other } = linked("Other");
    await put(`pages/${id}`, {
      ...other,
      box: { id: outer, inner: { id: inner.id, ...other } },
      sections: [{ __component: "shared.links", id: section?.id, ...other }],
    });
    const now = { one: "Other", many: ["Hidden", "Other"], any: "Hidden", anys: ["Hidden", "Other"] };
    const inside = { ...now, label: "kept" };
    expect(titlesIn(await read(id, world.full))).toMatchObject({
      ...now,
      box: { inner: inside },
      sections: [inside],
    });
  });

  test("what is seen can still be taken away", async () => {
    const id = await makePage("Seen", "Other");
    await put(`pages/${id}`, { one: null, many: [], anys: { set: [] }, box: null, sections: [] });
    expect(titlesIn(await read(id, world.full))).toMatchObject({
      one: null,
      many: [],
      anys: [],
      box: null,
      sections: [],
    });
  });

  test("an entry that is sent without its id is a new one", async () => {
    const id = await makePage("Hidden", "Seen");
    await put(`pages/${id}`, { box: { inner: { label: "new" } } });
    const inner = { label: "new", one: null, many: [], anys: [] };
    expect(titlesIn(await read(id, world.full))).toMatchObject({ one: "Hidden", box: { inner } });
  });

  test("GraphQL loses no hidden link", async () => {
    const id = await makePage("Hidden", "Seen");
    const before = titlesIn(await read(id, world.full));
    const { box } = await readAsBody(id);
    const { inner } = z.object({ inner: z.object({ id: z.number() }) }).parse(box);
    const query = `mutation ($data: PageInput!) { updatePage(documentId: "${id}", data: $data) { documentId } }`;
    const seen = { one: null, many: [world.note("Seen")] };
    const inside = { id: String(inner.id), ...seen };
    const data = { ...seen, box: { id: String(box.id), inner: inside } };
    const answer = await app.graphql(query, { data });
    expect(answer.text).not.toContain("errors");
    expect(titlesIn(await read(id, world.full))).toEqual(before);
  });

  test("a list that other documents store keeps those that are hidden, and so does a single one", async () => {
    const keys = await Promise.all(["Hidden", "Seen"].map((title) => world.make("notes", { title })));
    const id = await world.make("shelfs", { notes: keys, stood: keys[0] });
    const before = titlesIn(await read(id, world.full, "shelfs"));
    expect(before).toMatchObject({ notes: ["Hidden", "Seen"], stood: "Hidden" });
    const { notes, stood } = await read(id, undefined, "shelfs");
    expect({ notes, stood }).toMatchObject({ notes: [{ title: "Seen" }], stood: null });
    await put(`shelfs/${id}`, { notes: bodyOf(notes), stood });
    expect(titlesIn(await read(id, world.full, "shelfs"))).toEqual(before);
    await put(`shelfs/${id}`, { notes: [] });
    expect(titlesIn(await read(id, world.full, "shelfs"))).toMatchObject({ notes: ["Hidden"] });
  });
});
