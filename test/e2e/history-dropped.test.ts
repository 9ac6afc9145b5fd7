/** What is in the history of documents whose type is dropped, when that comes back. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, serve } from "../support/cms.ts";
import { component, schema } from "../support/migration-lab.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const text = { type: "string" };
const localized = { pluginOptions: { i18n: { localized: true } } };
const tag = schema("tag", { name: text }, { options: { draftAndPublish: false, history: true } });
const page = schema(
  "page",
  {
    title: { ...text, ...localized },
    price: { type: "decimal" },
    views: { type: "biginteger" },
    day: { type: "date" },
    at: { type: "datetime" },
    facts: { type: "json" },
    source: { ...text, private: true },
    code: { type: "password" },
    box: { type: "component", component: "shared.box", repeatable: true },
    tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag" },
    main: { type: "relation", relation: "manyToOne", target: "api::tag.tag" },
  },
  { options: { draftAndPublish: true, history: true }, ...localized },
);
const CONFIG = `export default { locales: { default: "en", codes: ["en", "de"] } };\n`;

/** An answer of the server. */
// oxlint-disable-next-line no-explicit-any
type Any = any;

/** What does not come back as it was, whatever is restored. */
const TIMES = { createdAt: expect.any(String), updatedAt: expect.any(String), publishedAt: null };

test("the last versions of documents whose type is dropped are restored when it is back", async () => {
  const root = workspace();
  const writePage = () => writeFiles(root, [["content-types/page/schema.json", JSON.stringify(page)]]);
  writeFiles(root, [
    ["cms.config.ts", CONFIG],
    ["content-types/tag/schema.json", JSON.stringify(tag)],
    ["content-types/components/shared/box.json", JSON.stringify(component({ words: text }))],
  ]);
  writePage();
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"])).trim();
  let { url, stop } = await serve(root);
  const send = async (method: string, place: string, data?: unknown): Promise<Any> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = data ? { body: JSON.stringify({ data }) } : {};
    const response = await fetch(`${url}/api/${place}`, { method, headers, ...body });
    return response.json();
  };
  const { data: red } = await send("POST", "tags", { name: "red" });
  const values = {
    title: "One",
    price: 12.5,
    views: "9007199254740993",
    day: "2030-01-31",
    at: "2030-01-31T08:00:00.000Z",
    facts: { a: [1] },
    source: "hidden",
    code: "a secret word",
    box: [{ words: "in it" }],
    tags: [red.documentId],
    main: red.documentId,
  };
  const { data: first } = await send("POST", "pages", values);
  const one = `pages/${first.documentId}`;
  await send("PUT", `${one}?status=draft`, { title: "Two" });
  await send("PUT", `${one}?locale=de&status=draft`, { title: "Zwei" });
  await send("POST", "pages?status=draft", { title: "Other" });
  const { data: last } = await send("GET", `${one}?status=draft&populate=*`);
  await stop();

  await rm(path.join(root, "content-types", "page"), { recursive: true });
  await cmsOutput(root, ["generate", "--allow", "drop:page"]);
  const told = await cmsOutput(root, ["migrate", "--dry-run"]);
  expect(told).toContain("keeps the last versions of the documents of api::page.page as deletions");
  expect(told).toContain("loses 2 documents of api::page.page, and keeps their last versions as deletions");
  await cmsOutput(root, ["migrate"]);
  writePage();
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);

  ({ url, stop } = await serve(root));
  expect(await send("GET", one)).toMatchObject({ error: { status: 404 } });
  const deleted = await send("GET", "pages/versions/deleted");
  const gone = { action: "delete", status: "draft", by: null, changed: null };
  expect(deleted.data).toMatchObject([
    { ...gone, locale: "en" },
    { ...gone, locale: "de", documentId: first.documentId },
    { ...gone, locale: "en", documentId: first.documentId },
  ]);
  const { id: version } = deleted.data[2];
  const restored = await send("POST", `${one}/versions/${version}/restore?populate=*`);
  expect(restored.meta.gone).toEqual([]);
  expect(restored.data).toEqual({
    ...last,
    ...TIMES,
    id: expect.any(Number),
    box: [{ id: expect.any(Number), words: "in it" }],
    localizations: [],
  });
  expect((await send("GET", "pages/versions/deleted")).data).toHaveLength(2);
  await stop();
}, 240_000);

test("versions stay while their type has no history, and are read and restored when it has one again", async () => {
  const root = workspace();
  const writeTag = (history: boolean) =>
    writeFiles(root, [
      [
        "content-types/tag/schema.json",
        JSON.stringify(schema("tag", { name: text }, { options: { draftAndPublish: false, history } })),
      ],
    ]);
  const note = schema("note", { name: text }, { options: { draftAndPublish: false, history: true } });
  writeFiles(root, [["content-types/note/schema.json", JSON.stringify(note)]]);
  writeTag(true);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"])).trim();
  let { url, stop } = await serve(root);
  const send = async (method: string, place: string, data?: unknown): Promise<Any> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = data ? { body: JSON.stringify({ data }) } : {};
    return (await fetch(`${url}/api/${place}`, { method, headers, ...body })).json();
  };
  const { documentId } = (await send("POST", "tags", { name: "one" })).data;
  await stop();

  const turn = async (history: boolean) => {
    writeTag(history);
    await cmsOutput(root, ["generate"]);
    await cmsOutput(root, ["migrate"]);
    ({ url, stop } = await serve(root));
  };
  await turn(false);
  expect(await send("GET", `tags/${documentId}/versions`)).toMatchObject({ error: { status: 404 } });
  await send("PUT", `tags/${documentId}`, { name: "two" });
  await stop();

  await turn(true);
  await send("PUT", `tags/${documentId}`, { name: "three" });
  const { data: versions } = await send("GET", `tags/${documentId}/versions`);
  expect(versions.map(({ action }: Any) => action)).toEqual(["update", "found", "create"]);
  const first = `tags/${documentId}/versions/${versions[2].id}`;
  expect((await send("GET", first)).data.name).toBe("one");
  expect((await send("POST", `${first}/restore`)).data.name).toBe("one");
  await stop();
}, 240_000);
