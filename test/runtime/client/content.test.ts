/** The generated client against the server that it was generated with. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { RequestError } from "../../../runtime/client/index.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../../support/example-app.ts";
import { type Cms, clientOf, type Sent } from "./server.ts";

const cleanups: (() => Promise<void>)[] = [];
const cleanup = (work: () => Promise<void>) => void cleanups.unshift(work);
let app: ExampleApp;
let cms: Cms;
let sent: Sent[];

beforeAll(async () => {
  app = await exampleApp(cleanup, await exampleDatabase(cleanup), { locales: { default: "en", codes: ["en", "de"] } });
  const token = await app.token();
  ({ cms, sent } = clientOf(app, { token }));
});
afterAll(async () => {
  for (const work of cleanups) await work();
});

const refused = async (asked: Promise<unknown>): Promise<RequestError> => {
  const error: unknown = await asked.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof RequestError)) throw new Error(`not refused as it should be: ${String(error)}`);
  return error;
};

const text = (content: string, name: string) => new File([content], name, { type: "text/plain" });

test("documents are created, read, changed and deleted, and answers hold what was asked for", async () => {
  const { data: ada } = await cms.authors.create({ data: { name: "Ada", slug: "ada", email: "ada@example.com" } });
  expect(ada).not.toHaveProperty("email");
  const { data: tea } = await cms.articles.create({
    data: {
      title: "Tea",
      slug: "tea",
      author: ada.documentId,
      sections: [
        { __component: "blocks.quote", text: "Hot" },
        { __component: "blocks.text", body: "Water" },
      ],
    },
    fields: ["title"],
    populate: { author: { fields: ["name"] } },
  });
  expect(tea).toEqual({
    id: tea.id,
    documentId: tea.documentId,
    title: "Tea",
    author: { id: ada.id, documentId: ada.documentId, name: "Ada" },
  });

  const { data, meta } = await cms.articles.find({
    filters: {
      author: { name: { $eq: "Ada" } },
      excerpt: null,
      $or: [{ slug: ["tea", "coffee"] }, { featured: true }],
    },
    populate: { sections: { on: { "blocks.quote": { fields: ["text"] } } } },
    fields: ["slug"],
    sort: ["publishedAt:desc"],
  });
  expect(meta.pagination).toEqual({ page: 1, pageSize: 25, pageCount: 1, total: 1 });
  expect(data).toMatchObject([{ slug: "tea", sections: [{ __component: "blocks.quote", text: "Hot" }] }]);
  expect(data[0]).not.toHaveProperty("title");

  const { data: changed } = await cms.articles.update(tea.documentId, { data: { excerpt: "A leaf" } });
  expect(changed).toMatchObject({ title: "Tea", excerpt: "A leaf" });
  await cms.articles.delete(tea.documentId);
  await cms.articles.delete(tea.documentId);
  expect(await refused(cms.articles.findOne(tea.documentId))).toMatchObject({ status: 404, name: "NotFoundError" });
});

test("empty options ask for what their types say, though a query string cannot hold them", async () => {
  const { data: made } = await cms.articles.create({
    data: { title: "Milk", slug: "milk", sections: [{ __component: "blocks.gallery", caption: "Tea" }] },
  });
  const { documentId } = made;
  const { data } = await cms.articles.findOne(documentId, {
    fields: [],
    populate: { author: {}, tags: { populate: {} }, seo: { fields: [] }, related: { filters: {} } },
  });
  expect(data).toEqual({ id: data.id, documentId, author: null, tags: [], seo: null, related: [] });
  const { data: zone } = await cms.articles.findOne(documentId, {
    fields: ["slug"],
    populate: { sections: { on: { "blocks.gallery": {}, "blocks.quote": { fields: [] } } } },
  });
  expect(zone.sections).toEqual([{ __component: "blocks.gallery", id: zone.sections[0]?.id, caption: "Tea" }]);
  await cms.articles.delete(documentId);
});

test("drafts are written, published, withdrawn and discarded, in their locale", async () => {
  const { data: draft } = await cms.articles.create({ data: { excerpt: "…" }, status: "draft", locale: "de" });
  expect(draft).toMatchObject({ title: null, publishedAt: null, locale: "de" });
  const id = draft.documentId;
  const error = await refused(cms.articles.publish(id, { locale: "de" }));
  expect(error).toMatchObject({ status: 400, name: "ValidationError" });
  expect(error.details.errors?.map(({ path }) => path)).toEqual([["title"], ["slug"]]);

  await cms.articles.update(id, { data: { title: "Tee", slug: "tee" }, status: "draft", locale: "de" });
  const { data: published } = await cms.articles.publish(id, { locale: "de", fields: ["title", "publishedAt"] });
  expect(published).toEqual({ id: published.id, documentId: id, title: "Tee", publishedAt: expect.any(String) });
  await cms.articles.update(id, { data: { title: "Kaffee" }, status: "draft", locale: "de" });
  expect(await cms.articles.discardDraft(id, { locale: "de" })).toMatchObject({ data: { title: "Tee" } });
  expect(await cms.articles.unpublish(id, { locale: "de" })).toMatchObject({ data: { publishedAt: null } });
  expect(await cms.articles.find({ locale: "de", filters: { documentId: id } })).toMatchObject({ data: [] });
});

test("a single type is written, published and deleted", async () => {
  expect(await refused(cms.homepage.find())).toMatchObject({ status: 404 });
  await cms.homepage.update({ data: { title: "Home" }, status: "draft" });
  expect(await cms.homepage.publish()).toMatchObject({ data: { title: "Home" } });
  expect(await cms.homepage.unpublish()).toMatchObject({ data: { publishedAt: null } });
  await cms.homepage.update({ data: { title: "Homes" } });
  expect(await cms.homepage.discardDraft({ fields: ["title"] })).toMatchObject({ data: { title: "Homes" } });
  await cms.homepage.delete();
  expect(await refused(cms.homepage.find({ status: "draft" }))).toMatchObject({ status: 404 });
});

test("all documents of a list come one after the other, whatever the pages that the server gives", async () => {
  for (let number = 0; number < 7; number++) {
    await cms.tags.create({ data: { name: `Tag ${number}`, slug: `tag-${number}` } });
  }
  sent.length = 0;
  const names: string[] = [];
  for await (const { name } of cms.tags.all({ sort: "name", fields: ["name"], pagination: { pageSize: 3 } })) {
    names.push(name);
  }
  expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Tag ${number}`));
  const places = sent.map(({ url }) => new URL(url).searchParams.get("pagination[after]"));
  expect(places).toEqual(["", expect.stringMatching(/./), expect.stringMatching(/./)]);

  // Other servers do not know cursors, and are asked for pages by number.
  const pages: (string | null)[] = [];
  const other = clientOf(app, {
    token: await app.token(),
    fetch: async (address, init) => {
      const url = new URL(address);
      url.searchParams.delete("pagination[after]");
      pages.push(url.searchParams.get("pagination[page]"));
      return app.app.request(url.href, init);
    },
  });
  const others: string[] = [];
  const query = { sort: "name", fields: ["name"], pagination: { pageSize: 3 } } as const;
  for await (const { name } of other.cms.tags.all(query)) others.push(name);
  expect(others).toEqual(names);
  expect(pages).toEqual([null, "2", "3"]);

  // A server gives smaller pages than it is asked for, and says so.
  let count = 0;
  const { cms: small } = clientOf(app, {
    token: await app.token(),
    fetch: async (url, init) => app.app.request(url.replace("pageSize%5D=500", "pageSize%5D=2"), init),
  });
  for await (const tag of small.tags.all({ pagination: { pageSize: 500 } })) count += tag.name.length > 0 ? 1 : 0;
  expect(count).toBe(7);

  for await (const { name } of cms.tags.all({ sort: "name", pagination: { pageSize: 3 } })) {
    expect(name).toBe("Tag 0");
    break;
  }
  expect(sent).toHaveLength(4);
});

test("files are uploaded, described, replaced and deleted, and locales are told", async () => {
  const [first, second] = await cms.files.upload([text("one", 'a "b".txt'), text("two", "ü.txt")], {
    info: [{ caption: "First" }, { caption: "Second" }],
  });
  if (!first || !second) throw new Error("not stored");
  expect([first.caption, second.caption, second.name]).toEqual(["First", "Second", "ü.txt"]);
  expect(await cms.files.update(first.id, { alternativeText: "A text" })).toMatchObject({ alternativeText: "A text" });
  expect(await cms.files.replace(first.id, text("three", "c.txt"))).toMatchObject({ id: first.id });
  expect(await cms.files.find({ filters: { caption: "Second" }, fields: ["url"] })).toEqual([
    expect.objectContaining({ id: second.id, url: second.url }),
  ]);
  expect((await cms.files.findPage({ pagination: { start: 1, limit: 1 } })).meta.pagination).toEqual({
    start: 1,
    limit: 1,
    total: 2,
  });
  expect(await cms.files.delete(first.id)).toMatchObject({ id: first.id });
  expect(await refused(cms.files.findOne(first.id))).toMatchObject({ status: 404 });
  expect((await cms.locales.find()).map(({ code, isDefault }) => [code, isDefault])).toEqual([
    ["en", true],
    ["de", false],
  ]);
});

test("ids stay what they are in a path", async () => {
  sent.length = 0;
  for (const id of ["", ".", ".."]) {
    expect(await refused(cms.articles.findOne(id))).toMatchObject({ status: 404 });
    expect(await refused(cms.articles.delete(id))).toMatchObject({ status: 404 });
  }
  expect(sent).toEqual([]);
  expect(await refused(cms.articles.findOne("../users/me?populate=*#"))).toMatchObject({ status: 404 });
  expect(sent.map(({ url }) => url)).toEqual(["http://cms.test/api/articles/..%2Fusers%2Fme%3Fpopulate%3D%2A%23"]);
});

test("refusals say why, and where the fault is", async () => {
  const error = await refused(cms.articles.create({ data: { title: "a".repeat(121), slug: "tea" } }));
  expect(error).toMatchObject({
    status: 400,
    name: "ValidationError",
    message: "title must be at most 120 characters",
  });
  expect(error.details.errors?.map(({ path }) => path)).toEqual([["title"]]);
  const unknown = await refused(cms.request("GET", "/articles", { query: { fields: ["titel"] } }));
  expect(unknown).toMatchObject({ status: 400, details: { key: "titel", param: "fields" } });
  const { cms: stranger } = clientOf(app);
  expect(await refused(stranger.articles.find())).toMatchObject({ status: 403, name: "ForbiddenError" });
});
