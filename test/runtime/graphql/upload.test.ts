import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { mediaApp, type MediaApp } from "../../support/media-app.ts";
import { SOON } from "../../support/soon.ts";

const server = await mediaApp(afterAll, {
  config: { media: { sizeLimit: 100_000, types: { allow: ["image/*", "text/plain"] } } },
});
const { database } = server;

interface Sent {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** By the place that they go to. */
  readonly files?: Readonly<Record<string, File>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const preflight = { "Apollo-Require-Preflight": "true" };

/** Sends a form of the fields, in their order. */
const sendForm = async (
  { app }: MediaApp,
  fields: readonly (readonly [string, string | File])[],
  headers = preflight,
) => {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  const answer = await app.request("/graphql", { method: "POST", body, headers });
  return { status: answer.status, body: await answer.json() };
};

const send = (to: MediaApp, { query, variables = {}, files = {} }: Sent) =>
  sendForm(to, [
    ["operations", JSON.stringify({ query, variables })],
    ["map", JSON.stringify(Object.fromEntries(Object.keys(files).map((place, index) => [index, [place]])))],
    ...Object.values(files).map((file, index) => [String(index), file] as const),
  ]);

const text = (name: string, content = "hello"): File => new File([content], name, { type: "text/plain" });
const picture = async (name: string): Promise<File> => {
  const image = sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } });
  return new File([new Uint8Array(await image.png().toBuffer())], name, { type: "image/png" });
};

const UPLOAD = `mutation ($file: Upload!, $info: FileInfoInput, $ref: String, $refId: ID, $field: String) {
  upload(file: $file, info: $info, ref: $ref, refId: $refId, field: $field) { data { id attributes { name caption mime width } } }
}`;
const MULTIPLE = `mutation ($files: [Upload]!, $ref: String, $refId: ID, $field: String) {
  multipleUpload(files: $files, ref: $ref, refId: $refId, field: $field) { data { attributes { name } } }
}`;

const names = async (): Promise<readonly unknown[]> =>
  (await database.rows("select name from files order by id")).flat();

const nothingIsLeft = async () => {
  await database.rows("delete from articles");
  for (const [id] of await database.rows("select id from files")) {
    await server.app.request(`/api/upload/files/${String(id)}`, { method: "DELETE" });
  }
  // What could not be recorded is deleted after the answer.
  await expect.poll(async () => [await server.stored(), await server.unfinished()], SOON).toEqual([[], []]);
};

test("a file comes with an operation, and what is said of it", async () => {
  const { status, body } = await send(server, {
    query: UPLOAD,
    variables: { file: null, info: { caption: "Red" } },
    files: { "variables.file": await picture("red.png") },
  });
  expect(status).toBe(200);
  expect(body.data.upload.data).toEqual({
    id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
    attributes: { name: "red.png", caption: "Red", mime: "image/png", width: 20 },
  });
  expect(await names()).toEqual(["red.png"]);
  await nothingIsLeft();
});

test("files are put into an entry, known by its documentId", async () => {
  const documentId = "b".repeat(24);
  await database.rows(
    `with d as (insert into documents values ('${documentId}', 'api::article.article') returning document_id)
     insert into articles (document_id, created_at, updated_at, published_at)
     select document_id, now(), now(), case when published then now() end from d, (values (true), (false)) s (published)`,
  );
  const entry = { ref: "api::article.article", refId: documentId };
  await send(server, {
    query: UPLOAD,
    variables: { ...entry, field: "cover", file: null },
    files: { "variables.file": await picture("cover.png") },
  });
  const several = await send(server, {
    query: MULTIPLE,
    variables: { ...entry, field: "gallery", files: [null, null] },
    files: { "variables.files.0": text("a.txt"), "variables.files.1": text("b.txt") },
  });
  expect(several.body.data.multipleUpload).toEqual([
    { data: { attributes: { name: "a.txt" } } },
    { data: { attributes: { name: "b.txt" } } },
  ]);
  expect(await database.rows("select distinct name from articles a join files f on f.id = a.cover_id")).toEqual([
    ["cover.png"],
  ]);
  const links = await database.rows("select distinct version_id, file_id from articles_gallery");
  expect(links).toHaveLength(4);
  const wrong = await send(server, {
    query: UPLOAD,
    variables: { ...entry, refId: "c".repeat(24), field: "cover", file: null },
    files: { "variables.file": await picture("lost.png") },
  });
  expect(wrong.body.errors[0].message).toBe(`refId: api::article.article has no entry with the id ${"c".repeat(24)}`);
  expect(await names()).not.toContain("lost.png");
  await nothingIsLeft();
});

test("what is no wanted type is refused, by its content and by its name; the others of the operation are kept", async () => {
  const page = new File(["<html></html>"], "page.html", { type: "text/plain" });
  expect(
    (await send(server, { query: UPLOAD, variables: { file: null }, files: { "variables.file": page } })).body,
  ).toMatchObject({
    data: null,
    errors: [
      { path: ["upload"], message: expect.stringContaining("page.html"), extensions: { code: "BAD_USER_INPUT" } },
    ],
  });
  const { body } = await send(server, {
    query: MULTIPLE,
    variables: { files: [null, null] },
    files: { "variables.files.0": page, "variables.files.1": text("kept.txt") },
  });
  expect(body.data.multipleUpload).toEqual([{ data: { attributes: { name: "kept.txt" } } }]);
  await nothingIsLeft();
});

test("a file over the limit ends the request with 413", async () => {
  const { status } = await send(server, {
    query: UPLOAD,
    variables: { file: null },
    files: { "variables.file": text("big.txt", "x".repeat(100_001)) },
  });
  expect(status).toBe(413);
  await nothingIsLeft();
});

test("who may not upload is refused before the files are read", async () => {
  const stranger = await mediaApp(afterAll, { caller: { kind: "public", can: () => false }, database });
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
  const answer = await stranger.app.request("/graphql", {
    method: "POST",
    headers: { ...preflight, "Content-Type": "multipart/form-data; boundary=x" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    data: null,
    errors: [{ message: "Forbidden access", extensions: { code: "FORBIDDEN" } }],
  });
});

test("a form that a foreign page could send is refused", async () => {
  const answer = await server.app.request("/graphql", { method: "POST", body: new FormData() });
  expect([answer.status, (await answer.json()).errors[0].message]).toEqual([400, expect.stringContaining("CSRF")]);
});

const operations = JSON.stringify({ query: UPLOAD, variables: { file: null } });

test.each<[string, readonly (readonly [string, string | File])[], string]>([
  [
    "without a map",
    [
      ["operations", operations],
      ["0", text("a.txt")],
    ],
    'no field "map"',
  ],
  [
    "without operations",
    [
      ["map", '{"0":["variables.file"]}'],
      ["0", text("a.txt")],
    ],
    'no field "operations"',
  ],
  [
    "with the map after the file",
    [
      ["operations", operations],
      ["0", text("a.txt")],
      ["map", "{}"],
    ],
    'no field "map"',
  ],
  [
    "with a map that is no object",
    [
      ["operations", operations],
      ["map", "[]"],
    ],
    "must be a JSON object",
  ],
  [
    "with a place that is no text",
    [
      ["operations", operations],
      ["map", '{"0":[1]}'],
    ],
    "must have a list of places",
  ],
  [
    "with a file that did not come",
    [
      ["operations", operations],
      ["map", '{"0":["variables.file"]}'],
    ],
    'no file "0"',
  ],
  [
    "with a place that is not there",
    [
      ["operations", operations],
      ["map", '{"0":["variables.other"]}'],
      ["0", text("a.txt")],
    ],
    "not null in the operation",
  ],
  [
    "with a place outside of the operation",
    [
      ["operations", operations],
      ["map", '{"0":["__proto__.polluted"]}'],
      ["0", text("a.txt")],
    ],
    "not null in the operation",
  ],
  [
    "with several operations",
    [
      ["operations", `[${operations}]`],
      ["map", "{}"],
    ],
    "batching disabled",
  ],
])("a form %s is a 400 that says so", async (_, fields, message) => {
  const { status, body } = await sendForm(server, fields);
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(message)]);
  expect(Object.prototype).not.toHaveProperty("polluted");
  await nothingIsLeft();
});

const post = (body: unknown) =>
  server.app.request("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("a file cannot be written down", async () => {
  expect((await post({ query: UPLOAD, variables: { file: { part: { path: "/etc/passwd" } } } })).status).toBe(400);
  expect((await post({ query: 'mutation { upload(file: "/etc/passwd") { data { id } } }' })).status).toBe(400);
});

test("the flat format has no uploads", async () => {
  const flat = await mediaApp(afterAll, { config: { graphql: { format: "flat" } }, database });
  expect(await send(flat, { query: "{ __typename }" })).toMatchObject({ status: 400 });
});
