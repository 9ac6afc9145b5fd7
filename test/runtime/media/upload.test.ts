import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { form, mediaApp } from "../../support/media-app.ts";

const { app, database, stored, unfinished } = await mediaApp(afterAll);

const picture = async (width: number, height: number): Promise<Uint8Array<ArrayBuffer>> => {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { width, height, channels: 3, background: "white", noise } });
  return new Uint8Array(await image.png().toBuffer());
};

const post = async (path: string, body: FormData) => {
  const answer = await app.request(path, { method: "POST", body });
  return { status: answer.status, body: await answer.json() };
};

const get = async (path: string) => {
  const answer = await app.request(path);
  return { status: answer.status, body: await answer.json() };
};

/** Files whose names begin with an l. */
const list = (query: string) => get(`/api/upload/files?filters[name][$startsWith]=l&sort=name&${query}`);

beforeEach(async () => {
  const { body } = await get("/api/upload/files");
  for (const { id } of body) await app.request(`/api/upload/files/${id}`, { method: "DELETE" });
});

test("an image is stored with its measures and the formats that are smaller than it", async () => {
  const { status, body } = await post("/api/upload", form({ name: "Grüße aus.PNG", content: await picture(800, 600) }));
  expect(status).toBe(201);
  expect(body).toEqual([
    {
      id: expect.any(Number),
      documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      name: "Grüße aus.PNG",
      alternativeText: null,
      caption: null,
      focalPoint: null,
      width: 800,
      height: 600,
      formats: {
        thumbnail: expect.objectContaining({ name: "thumbnail_Grüße aus.PNG", width: 208, height: 156, path: null }),
        small: expect.objectContaining({ width: 500, height: 375, ext: ".PNG", mime: "image/png" }),
        medium: expect.objectContaining({ width: 750, height: 563 }),
      },
      hash: expect.stringMatching(/^Gruesse_aus_[0-9a-f]{10}$/),
      ext: ".PNG",
      mime: "image/png",
      size: expect.any(Number),
      url: `/uploads/${body[0].hash}.PNG`,
      previewUrl: null,
      provider: "local",
      provider_metadata: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body[0].createdAt,
      publishedAt: body[0].createdAt,
      isUrlSigned: false,
    },
  ]);
  const keys = [body[0], ...Object.values<{ hash: string }>(body[0].formats)].map(({ hash }) => `${hash}.PNG`);
  expect(await stored()).toEqual(keys.toSorted());
  expect(await unfinished()).toEqual([]);
});

test("the routes read, page, change and delete files", async () => {
  const made = await post(
    "/api/upload",
    form(
      { name: "a.txt", type: "text/plain", content: "one" },
      { name: "b.txt", type: "text/plain", content: "two" },
      { field: "fileInfo", content: '{"alternativeText":"first"}' },
      { field: "fileInfo", content: '{"name":"second.txt","caption":"c","focalPoint":{"x":10,"y":20}}' },
    ),
  );
  const [a, b] = made.body;
  expect(made.body).toMatchObject([
    { name: "a.txt", alternativeText: "first", formats: null, mime: "text/plain", size: 0 },
    { name: "second.txt", caption: "c", focalPoint: { x: 10, y: 20 }, hash: expect.stringMatching(/^second_/) },
  ]);
  expect((await get("/api/upload/files?pagination[pageSize]=1")).body).toEqual(made.body);
  expect((await get("/api/upload/files?start=1&fields=name")).body).toEqual([
    { id: b.id, documentId: b.documentId, name: "second.txt", isUrlSigned: false },
  ]);
  expect((await get("/api/upload/files/page?pagination[pageSize]=1&sort=name:desc")).body).toEqual({
    data: [b],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
  });
  expect((await get("/api/upload/files?filters[mime]=text/plain&filters[name][$contains]=second")).body).toEqual([b]);
  expect(await get(`/api/upload/files/${a.id}`)).toEqual({ status: 200, body: a });
  const changed = await post(`/api/upload?id=${a.id}`, form({ field: "fileInfo", content: '{"caption":"new"}' }));
  expect(changed).toMatchObject({ status: 200, body: { id: a.id, alternativeText: "first", caption: "new" } });
  const gone = await app.request(`/api/upload/files/${a.id}`, { method: "DELETE" });
  expect([gone.status, await gone.json()]).toEqual([200, changed.body]);
  expect(await get(`/api/upload/files/${a.id}`)).toMatchObject({
    status: 404,
    body: { error: { message: "file.notFound" } },
  });
  expect(await stored()).toEqual([`${b.hash}.txt`]);
});

test("a replaced file keeps its address and its references, and shows the new bytes", async () => {
  const made = await post("/api/upload", form({ name: "big.png", content: await picture(600, 600) }));
  const [before] = made.body;
  const { status, body } = await post(
    `/api/upload?id=${before.id}`,
    form({ name: "new.png", content: await picture(300, 200) }),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: before.id, name: "new.png", hash: before.hash, url: before.url, width: 300 });
  expect(Object.keys(body.formats)).toEqual(["thumbnail"]);
  expect(await stored()).toEqual([`${before.hash}.png`, `thumbnail_${before.hash}.png`].toSorted());
  const served = await app.request(body.url);
  expect((await sharp(await served.arrayBuffer()).metadata()).width).toBe(300);
});

test("uploads are attached to an entry by ref, refId and field", async () => {
  const [row] = await database.rows(
    `with d as (insert into documents values ('aaaaaaaaaaaaaaaaaaaaaaaa', 'api::article.article') returning document_id)
     insert into articles (document_id, created_at, updated_at, published_at)
     select document_id, now(), now(), now() from d returning id`,
  );
  const target = (field: string) => [
    { field: "ref", content: "api::article.article" },
    { field: "refId", content: String(row?.[0]) },
    { field: "field", content: field },
  ];
  const one = await post("/api/upload", form({ name: "a.png", content: await picture(9, 9) }, ...target("cover")));
  const more = await post(
    "/api/upload",
    form({ name: "b.txt", content: "b" }, { name: "c.txt", content: "c" }, ...target("gallery")),
  );
  const links = await database.rows("select file_id from articles_gallery order by position");
  expect(links).toEqual(more.body.map(({ id }: { id: number }) => [id]));
  expect(await database.rows("select cover_id from articles")).toEqual([[one.body[0].id]]);

  const [shown] = (await get("/api/upload/files?populate=related&filters[name]=b.txt")).body;
  expect(shown.related).toEqual([
    expect.objectContaining({ __type: "api::article.article", id: row?.[0], documentId: "a".repeat(24) }),
  ]);
  expect((await get(`/api/upload/files/${one.body[0].id}?populate=*`)).body.related).toHaveLength(1);
  expect((await get(`/api/upload/files/${one.body[0].id}`)).body).toEqual(one.body[0]);

  const refused = await post("/api/upload", form({ name: "d.txt", content: "d" }, ...target("cover")));
  expect(refused).toMatchObject({ status: 400, body: { error: { name: "ValidationError" } } });
  expect((await post("/api/upload", form({ name: "d.txt", content: "d" }, ...target("title")))).status).toBe(400);
  expect((await get("/api/upload/files?filters[name]=d.txt")).body).toEqual([]);

  for (const { id } of [...one.body, ...more.body]) await app.request(`/api/upload/files/${id}`, { method: "DELETE" });
  expect(await database.rows("select cover_id from articles")).toEqual([[null]]);
  expect(await database.rows("select file_id from articles_gallery")).toEqual([]);
});

test("one file is shown whole, and the rest of the query is checked", async () => {
  const [file] = (await post("/api/upload", form({ name: "whole.txt", content: "a" }))).body;
  const one = `/api/upload/files/${file.id}`;
  for (const query of ["", "?fields=name", "?filters[name]=other", "?sort=name"]) {
    expect((await get(`${one}${query}`)).body).toEqual(file);
  }
  for (const query of ["?fields=nope", "?filters[nope]=1", "?sort=nope", "?populate=nope"]) {
    expect((await get(`${one}${query}`)).status).toBe(400);
  }
});

test("lists of files take whole numbers at the top of the query", async () => {
  for (const name of ["l1.txt", "l2.txt"]) await post("/api/upload", form({ name, content: "a" }));
  const { body } = await list("");
  expect(body).toHaveLength(2);
  for (const query of ["limit=0", "limit=-1", "pagination[pageSize]=1"]) expect((await list(query)).body).toEqual(body);
  expect((await list("start=1&limit=1")).body).toEqual([body[1]]);
  for (const query of ["limit=abc", "start=-1"]) expect((await list(query)).status).toBe(400);
});

test("the file that an upload is about is named once or not at all", async () => {
  const text = { name: "id.txt", content: "a" };
  const [file] = (await post("/api/upload?id=", form(text))).body;
  expect((await post(`/api/upload?id=${file.id}`, form())).body).toMatchObject({ id: file.id, name: "id.txt" });
  const unchanged = await post(`/api/upload?id=${file.id}`, form({ ...text, content: "" }));
  expect(unchanged.body).toMatchObject({ id: file.id, size: file.size });
  for (const query of ["?id[]=1", "?id[a]=1", "?id=1&id=2"]) {
    const { status, body } = await post(`/api/upload${query}`, form({ field: "fileInfo", content: "{}" }));
    expect([status, body.error.message]).toEqual([400, "File id is required and must be a single value"]);
  }
});

test("what else clients send along is left aside", async () => {
  const text = { name: "along.txt", content: "a" };
  const [file] = (
    await post(
      "/api/upload",
      form(text, { field: "fileInfo", content: '{"caption":7,"folder":3}' }, { field: "ref", content: "api::a.a" }),
    )
  ).body;
  expect(file).toMatchObject({ name: "along.txt", caption: "7" });
});

test("what is wrong with a request is said with a 4xx", async () => {
  const text = { name: "a.txt", content: "a" };
  const messages = [
    await post("/api/upload", form({ field: "fileInfo", content: "{}" })),
    await post("/api/upload", form({ ...text, field: "file" })),
    await post("/api/upload", form({ ...text, content: "" })),
    await post("/api/upload", form(text, { field: "fileInfo", content: "{" })),
    await post("/api/upload", form(text, text, { field: "fileInfo", content: "{}" })),
    await post("/api/upload", form(text, { field: "fileInfo", content: '{"caption":[1]}' })),
    await post("/api/upload", form(text, { field: "fileInfo", content: '{"focalPoint":{"x":101,"y":1}}' })),
    await post("/api/upload?id=999999", form({ field: "fileInfo", content: "{}" })),
    await post("/api/upload?id=1&id=2", form(text)),
  ].map(({ status, body }) => [status, body.error.message]);
  expect(messages).toEqual([
    [400, "Files are empty"],
    [400, "Files are empty"],
    [400, "Files are empty"],
    [400, 'fileInfo must be a `object` type, but the final value was: `null` (cast from the value `"{"`).'],
    [400, 'fileInfo must be a `array` type, but the final value was: `null` (cast from the value `"{}"`).'],
    [400, 'fileInfo.caption must be a `string` type, but the final value was: `[\n  "1"\n]`.'],
    [400, "fileInfo.focalPoint.x must be less than or equal to 100"],
    [404, "Entity not found"],
    [400, "File id is required and must be a single value"],
  ]);
  expect(await stored()).toEqual([]);
  expect(await unfinished()).toEqual([]);
});
