import { afterAll, beforeAll, expect, test } from "vitest";
import { at, registration, textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const uid = "api::author.author";
const database = await exampleDatabase();
const userUid = "plugin::users-permissions.user";
const seenOfUsers = ["username", "email", "password", "role"];
/** The public sees names of authors and no portraits, and pictures of articles but for their covers. */
const app = await exampleApp(afterAll, database, {
  fields: {
    public: { [uid]: ["name"], "api::article.article": ["gallery"], [userUid]: seenOfUsers },
    authenticated: { [userUid]: seenOfUsers },
  },
});
const hiding = await exampleApp(afterAll, database, { rest: { privateAttributes: ["portrait"] } });
const full = await app.token();

const picture = { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

/** Stores a picture, and returns its id. */
const store = async (): Promise<number> => Number(at((await app.upload([picture], full)).body, "0.id"));

const write = async (path: string, data: object): Promise<string> =>
  textAt((await app.send("POST", path, { token: full, body: { data } })).body, "data.documentId");

let portrait = 0;
let gallery = 0;
let author = "";

beforeAll(async () => {
  await app.allowPublic(
    ...["find", "findOne", "create", "update"].map((action) => `${uid}.${action}`),
    "api::article.article.find",
    ...["find", "findPage", "findOne", "upload"].map((action) => `plugin::upload.content-api.${action}`),
    `${userUid}.create`,
  );
  portrait = await store();
  gallery = await store();
  author = await write("/api/authors", { name: "Ann", slug: "ann", portrait });
  await write("/api/articles", { title: "Tea", slug: "tea", cover: portrait, gallery: [gallery] });
});

const relatedOf = async (id: number, { send } = app, token?: string) => {
  const answer = await send("GET", `/api/upload/files/${id}?populate=related`, token ? { token } : {});
  expect(answer.status).toBe(200);
  return Object(at(answer.body, "related")).map((entry: unknown) => at(entry, "__type"));
};

test("what shows a file is told through attributes that the caller may see, and through no others", async () => {
  expect(await relatedOf(portrait)).toEqual([]);
  expect(await relatedOf(gallery)).toEqual(["api::article.article"]);
  expect(await relatedOf(portrait, app, full)).toEqual(["api::article.article", uid]);
  const listed = await app.send("GET", "/api/upload/files?populate=related");
  const page = await app.send("GET", "/api/upload/files/page?populate=*");
  for (const files of [listed.body, at(page.body, "data")]) {
    expect(Object(files).map(({ related }: { related: unknown[] }) => related.length)).toEqual([0, 1]);
  }
});

test("what shows a file is told to nobody through a private attribute", async () => {
  expect(await relatedOf(portrait, hiding, full)).toEqual(["api::article.article"]);
});

const entry = () => [
  { field: "ref", content: uid },
  { field: "refId", content: author },
  { field: "field", content: "portrait" },
];

const UPLOAD = `mutation ($file: Upload!, $ref: String, $refId: ID, $field: String) {
  upload(file: $file, ref: $ref, refId: $refId, field: $field) { data { id } }
}`;

test("an upload puts no file into an attribute that the caller's list leaves out", async () => {
  const before = await database.rows("select count(*)::int from files");
  const refused = await app.upload([picture, ...entry()]);
  expect(refused.body).toMatchObject({
    error: { status: 400, message: "Invalid key portrait", details: { key: "portrait", source: "body" } },
  });
  const file = new File([picture.content], picture.name, { type: picture.type });
  const variables = { file: null, ref: uid, refId: author, field: "portrait" };
  const mutation = await app.graphql(UPLOAD, variables, { files: { "variables.file": file } });
  expect(at(mutation.body, "errors.0.message")).toBe("Invalid parameter portrait");
  expect(await database.rows("select portrait_id from authors")).toEqual([[portrait]]);
  expect(await database.rows("select count(*)::int from files")).toEqual(before);
  expect((await app.upload([picture, ...entry()], full)).status).toBe(201);
});

test("mutations of users and `me` show what the caller's list has", async () => {
  const create = (shown: string) =>
    app.graphql(
      `mutation ($data: UsersPermissionsUserInput!) { createUsersPermissionsUser(data: $data) { data { ${shown} } } }`,
      { data: { ...registration("bob"), role: "1" } },
    );
  const hidden = await create("attributes { provider }");
  expect(at(hidden.body, "errors.0.message")).toMatch(/provider/);
  expect(await database.rows("select username from up_users")).toEqual([]);
  expect(at((await create("attributes { username }")).body, "data.createUsersPermissionsUser.data")).toEqual({
    attributes: { username: "bob" },
  });
  const login = await app.send("POST", "/api/auth/local", {
    body: { identifier: "bob", password: registration("bob").password },
  });
  const token = textAt(login.body, "jwt");
  await app.allowUsers(`${userUid}.me`);
  const me = await app.graphql("{ me { username email confirmed } }", {}, { token });
  expect(me.body).toEqual({ data: { me: { username: "bob", email: "bob@example.test", confirmed: null } } });
});
