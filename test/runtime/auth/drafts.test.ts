import { afterAll, describe, expect, test } from "vitest";
import { at, textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const uid = "api::article.article";
const homepage = "api::homepage.homepage";
const config = { locales: { default: "en", codes: ["en", "de"] } };
const database = await exampleDatabase();
const app = await exampleApp(afterAll, database, config);
const flat = await exampleApp(afterAll, database, { ...config, graphql: { format: "flat" } });
const asInTheWireFormat = await exampleApp(afterAll, database, { ...config, rest: { drafts: "find" } });
const full = await app.token();

/** A caller who may do these actions with articles. */
const who = (...actions: readonly string[]) => app.token(...actions.map((action) => `${uid}.${action}`));
const reader = await who("find", "findOne");
const writer = await who("find", "findOne", "create", "update", "delete");
const author = await who("find", "findOne", "create", "update", "delete", "readDraft");
const publisher = await who("find", "findOne", "create", "update", "publish");
const withdrawer = await who("update", "unpublish", "discardDraft");

const SECRET = "The merger is on";
let count = 0;

/** An article that is published and has another draft, or is a draft alone. Its documentId. */
const article = async (published: boolean): Promise<string> => {
  count += 1;
  const send = (method: string, path: string, title: string) =>
    app.send(method, `/api/articles${path}`, { token: full, body: { data: { title, slug: `article-${count}` } } });
  const created = await send("POST", published ? "" : "?status=draft", published ? "Open" : SECRET);
  const documentId = textAt(created.body, "data.documentId");
  if (published) await send("PUT", `/${documentId}?status=draft`, SECRET);
  return documentId;
};

const put = (path: string, token: string, data: object = {}, { send } = app) =>
  send("PUT", `/api/articles/${path}`, { token, body: { data } });

/** What is published of an article; undefined when nothing is. */
const published = async (documentId: string): Promise<unknown> =>
  at((await app.send("GET", `/api/articles/${documentId}`, { token: reader })).body, "data.title");

const draft = async (documentId: string): Promise<unknown> =>
  at((await app.send("GET", `/api/articles/${documentId}?status=draft`, { token: full })).body, "data.title");

/** What is answered to who adds a locale to an article. */
const add = async (id: string, token: string): Promise<unknown> => {
  const mutation = `mutation ($id: ID, $data: ArticleInput) {
    createArticleLocalization(id: $id, locale: "de", data: $data) { data { attributes { locale } } }
  }`;
  const data = { title: "Neu", slug: `neu-${count}`, publishedAt: null };
  return (await app.graphql(mutation, { id, data }, { token })).body;
};

test("a write that publishes needs the permission to publish", async () => {
  const documentId = await article(true);
  for (const query of ["", "?status=published", "?locale=de", "?fields=title&populate=*"]) {
    expect((await put(`${documentId}${query}`, writer)).status).toBe(403);
  }
  const created = { title: "Mine", slug: "mine" };
  expect((await app.send("POST", "/api/articles", { token: writer, body: { data: created } })).status).toBe(403);
  expect(await published(documentId)).toBe("Open");
  expect((await app.send("GET", "/api/articles?locale=de", { token: full })).body).toMatchObject({ data: [] });

  const answer = await put(documentId, publisher);
  expect(answer.body).toMatchObject({ data: { title: SECRET, publishedAt: expect.any(String) } });
  expect(await published(documentId)).toBe(SECRET);
});

test("a single type is published with the permission to do so only", async () => {
  const token = await app.token(`${homepage}.update`, `${homepage}.find`);
  const write = (query: string) =>
    app.send("PUT", `/api/homepage${query}`, { token, body: { data: { title: "Welcome" } } });
  expect((await write("")).status).toBe(403);
  expect((await write("?status=draft")).status).toBe(200);
  expect((await app.send("GET", "/api/homepage", { token })).status).toBe(404);
});

const link = (related: unknown, token: string) =>
  app.send("POST", "/api/articles?status=draft", {
    token,
    body: { data: { title: "Links", slug: `links-${related}`, related } },
  });
const idOf = async (documentId: string, query: string) =>
  at((await app.send("GET", `/api/articles/${documentId}${query}`, { token: full })).body, "data.id");

test("the id of a draft is one of nothing to who may not read drafts, and leads to it for others", async () => {
  const hidden = await idOf(await article(false), "?status=draft");
  const shown = await idOf(await article(true), "");
  const refusal = await link([999_999], writer);
  expect(at(refusal.body, "error.message")).toContain("do not exist");
  const refused = await link([hidden], writer);
  expect([refused.status, at(refused.body, "error.message")]).toEqual([400, at(refusal.body, "error.message")]);
  expect((await link([shown], writer)).status).toBe(201);
  expect((await link([hidden], author)).status).toBe(201);
});

test("who may not read drafts may write one, and is told which document it is of", async () => {
  const body = { data: { title: SECRET, slug: "blind" } };
  const created = await app.send("POST", "/api/articles?status=draft", { token: writer, body });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ data: { documentId: expect.any(String) }, meta: {} });
  const documentId = textAt(created.body, "data.documentId");
  const changed = await put(`${documentId}?status=draft&populate=*`, writer, { excerpt: "More" });
  expect(changed.body).toEqual({ data: { documentId }, meta: {} });
  expect(await draft(documentId)).toBe(SECRET);
  expect((await put("nothing?status=draft", writer)).status).toBe(404);
  expect((await put(`${documentId}?status=other`, writer)).status).toBe(400);
  expect((await put(`${documentId}?status=draft&fields=nothing`, writer)).status).toBe(400);
  expect((await put(`${documentId}?status=draft`, author)).body).toMatchObject({ data: { title: SECRET } });
});

test("withdrawing and discarding show the draft to those only who may read it", async () => {
  const documentId = await article(true);
  for (const action of ["unpublish", "discard-draft"]) {
    await app.send("POST", `/api/articles/${documentId}/actions/publish`, { token: full });
    const answer = await app.send("POST", `/api/articles/${documentId}/actions/${action}?populate=*`, {
      token: withdrawer,
    });
    expect([answer.status, answer.body]).toEqual([200, { data: { documentId }, meta: {} }]);
  }
});

const uploads = "plugin::upload.content-api.upload";
const picture = { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

/** Uploads a picture into an attribute of an article. */
const uploadInto = (refId: unknown, token: string, field = "cover") =>
  app.upload(
    [
      picture,
      { field: "ref", content: uid },
      { field: "refId", content: String(refId) },
      { field: "field", content: field },
    ],
    token,
  );

test("an upload goes into what is published with the permission to publish only", async () => {
  const documentId = await article(true);
  const [[live] = [], [edited] = []] = await database.rows(
    "select id from articles where document_id = $1 order by published_at is null",
    [documentId],
  );
  const token = await app.token(`${uid}.update`, uploads);
  const upload = (refId: unknown) => uploadInto(refId, token);
  const covered = () =>
    database.rows("select id from articles where document_id = $1 and cover_id is not null", [documentId]);
  expect((await upload(live)).status).toBe(403);
  expect(await covered()).toEqual([]);
  expect((await upload(documentId)).status).toBe(201);
  expect(await covered()).toEqual([[edited]]);
});

test("an upload into the numeric id of a draft is one into nothing for who may not read drafts", async () => {
  const documentId = await article(false);
  const id = await idOf(documentId, "?status=draft");
  const blind = await app.token(`${uid}.update`, `${uid}.publish`, uploads);
  const seeing = await app.token(`${uid}.update`, `${uid}.readDraft`, uploads);
  const missing = await uploadInto(999_999, blind);
  const refused = await uploadInto(id, blind);
  expect([missing.status, refused.status]).toEqual([400, 400]);
  expect(refused.text).toBe(missing.text.replaceAll("999999", String(id)));
  expect((await uploadInto(documentId, blind)).status).toBe(201);
  expect((await uploadInto(id, seeing)).status).toBe(201);
});

test("an upload tells nothing of attributes of a type that the caller may not change", async () => {
  const token = await app.token(uploads);
  for (const field of ["cover", "title", "nothing"]) {
    expect((await uploadInto(1, token, field)).status).toBe(403);
  }
});

const filters = [
  "publicationFilter=modified",
  "publicationFilter=unmodified",
  "publicationFilter=never-published-document",
  "publicationFilter=published-without-draft",
  "hasPublishedVersion=false",
];

test.each(filters)("only who may read drafts may ask for %s", async (filter) => {
  const documentId = await article(true);
  const path = `/api/articles?fields=documentId&${filter}`;
  expect((await app.send("GET", path, { token: reader })).status).toBe(403);
  expect((await app.send("GET", `/api/articles/${documentId}?${filter}`, { token: reader })).status).toBe(403);
  expect((await app.send("GET", path, { token: author })).status).toBe(200);
});

test("behind relations a publication filter leaves out nothing for whoever may not read drafts", async () => {
  const documentId = await article(true);
  const data = { name: "Ann", slug: `ann-${count}`, articles: [documentId] };
  const written = await app.send("POST", "/api/authors", { token: full, body: { data } });
  await put(`${documentId}?status=draft`, full, { excerpt: "changed since" });
  const path = `/api/authors/${textAt(written.body, "data.documentId")}?populate=articles&publicationFilter=`;
  const actions = ["find", "findOne"].map((action) => `api::author.author.${action}`);
  const seen = async (token: string, filter: string) =>
    Object(at((await app.send("GET", path + filter, { token })).body, "data.articles")).length;
  const stranger = await app.token(...actions, `${uid}.find`);
  expect([await seen(stranger, "modified"), await seen(stranger, "unmodified")]).toEqual([1, 1]);
  expect(await seen(await app.token(...actions, `${uid}.find`, `${uid}.readDraft`), "unmodified")).toBe(0);
});

test('with `drafts: "find"` writes publish and show drafts as in the wire format', async () => {
  const documentId = await article(true);
  const { send } = asInTheWireFormat;
  const listed = await send("GET", "/api/articles?publicationFilter=modified", { token: reader });
  expect(listed.status).toBe(200);
  expect((await put(`${documentId}?status=draft`, writer, {}, asInTheWireFormat)).body).toMatchObject({
    data: { title: SECRET },
  });
  expect((await put(documentId, writer, {}, asInTheWireFormat)).body).toMatchObject({ data: { title: SECRET } });
});

describe("entity format", () => {
  const UPDATE = `mutation ($id: ID!, $data: ArticleInput!) {
    updateArticle(id: $id, data: $data) { data { id attributes { title publishedAt } } }
  }`;
  const update = async (id: string, data: object, token: string) =>
    (await app.graphql(UPDATE, { id, data }, { token })).body;
  const refused = { data: { updateArticle: null }, errors: [{ extensions: { code: "FORBIDDEN" } }] };

  test("what is published is changed with the permission to publish only", async () => {
    const id = await article(true);
    expect(await update(id, { excerpt: "x" }, writer)).toMatchObject(refused);
    expect(await update(id, { publishedAt: "2030-01-01T00:00:00Z" }, author)).toMatchObject(refused);
    expect(await published(id)).toBe("Open");
    expect(await update(id, {}, publisher)).toMatchObject({
      data: { updateArticle: { data: { attributes: { title: SECRET } } } },
    });
  });

  test("a draft is shown to those only who may read it", async () => {
    const id = await article(false);
    expect(await update(id, { excerpt: "x" }, writer)).toEqual({ data: { updateArticle: { data: null } } });
    expect(await update(id, { excerpt: "y" }, author)).toMatchObject({
      data: { updateArticle: { data: { attributes: { title: SECRET } } } },
    });
    const create = `mutation ($data: ArticleInput!) { createArticle(data: $data) { data { attributes { title } } } }`;
    const data = { title: "x", slug: `own-${count}`, publishedAt: null };
    expect((await app.graphql(create, { data }, { token: writer })).body).toEqual({
      data: { createArticle: { data: null } },
    });
    const remove = `mutation ($id: ID!) { deleteArticle(id: $id) { data { attributes { title } } } }`;
    expect((await app.graphql(remove, { id }, { token: writer })).body).toEqual({
      data: { deleteArticle: { data: null } },
    });
    expect(await draft(id)).toBeUndefined();
  });

  test("what is published is taken back with the permission to do so only", async () => {
    const id = await article(true);
    expect(await update(id, { publishedAt: null }, writer)).toMatchObject(refused);
    expect(await published(id)).toBe("Open");
    expect(await update(id, { publishedAt: null, title: "Later" }, withdrawer)).toEqual({
      data: { updateArticle: { data: null } },
    });
    expect([await published(id), await draft(id)]).toEqual([undefined, "Later"]);
    expect(await update(id, { publishedAt: null }, author)).toMatchObject({
      data: { updateArticle: { data: { id } } },
    });
  });

  test("a locale is added by those only who may read drafts, since others would be told where there are some", async () => {
    const [secret, open] = [await article(false), await article(true)];
    const answers = [await add(secret, writer), await add(open, writer), await add("nothing", writer)];
    expect(await add(secret, author)).toMatchObject({
      data: { createArticleLocalization: { data: { attributes: { locale: "de" } } } },
    });
    answers.push(await add(secret, writer), await add(secret, publisher));
    const forbidden = {
      data: { createArticleLocalization: null },
      errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: "FORBIDDEN" }) })],
    };
    expect(answers).toEqual(answers.map(() => forbidden));
    expect(await add(secret, author)).toMatchObject({ errors: [{ message: "locale is already used" }] });
  });

  test("the answer to a write shows related drafts to those only who may read them", async () => {
    const id = await article(false);
    const token = await app.token("api::author.author.create", `${uid}.find`);
    const create = `mutation ($data: AuthorInput!) { createAuthor(data: $data) { data { attributes {
      articles(publicationState: PREVIEW) { data { id } } } } } }`;
    const { body } = await app.graphql(
      create,
      { data: { name: "Bo", slug: `bo-${count}`, articles: [id] } },
      { token },
    );
    expect(at(body, "data.createAuthor.data.attributes.articles.data")).toEqual([]);
  });
});

test("in the flat format writes ask for the same permissions", async () => {
  const documentId = await article(true);
  const update = `mutation ($documentId: ID!, $data: ArticleInput!, $status: PublicationStatus) {
    updateArticle(documentId: $documentId, data: $data, status: $status) { title }
  }`;
  const send = async (status: string, token: string) =>
    (await flat.graphql(update, { documentId, data: { excerpt: "x" }, status }, { token })).body;
  expect(await send("PUBLISHED", writer)).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
  expect(await send("DRAFT", writer)).toEqual({ data: { updateArticle: null } });
  expect(await send("DRAFT", author)).toEqual({ data: { updateArticle: { title: SECRET } } });
  expect(await published(documentId)).toBe("Open");
  const list = "{ articles(publicationFilter: MODIFIED) { documentId } }";
  const forbidden = { errors: [{ extensions: { code: "FORBIDDEN" } }] };
  expect((await flat.graphql(list, {}, { token: reader })).body).toMatchObject(forbidden);
  expect((await flat.graphql(list, {}, { token: author })).body).toMatchObject({
    data: { articles: expect.any(Array) },
  });
});
