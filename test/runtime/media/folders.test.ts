/** Folders of the media library: the tree, what is in it, and requests that meet. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import { startFeatures } from "../../../runtime/app/features.ts";
import { uploadFolders } from "../../../runtime/folders/tables.ts";
import { at } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const LIST = "plugin::upload.folder.list";
const CHANGE = "plugin::upload.folder.change";

const database = await exampleDatabase(afterAll);
await database.script(creationSql(describeTables([uploadFolders])));
const app = await exampleApp(afterAll, database, { media: { folders: true } });
const token = await app.token();

const send = (method: string, path: string, body?: unknown) =>
  app.send(method, `/api/upload${path}`, { token, ...(body === undefined ? {} : { body }) });
const make = async (name: string, parent: number | null = null) => {
  const { status, body } = await send("POST", "/folders", { name, parent });
  expect({ status, body }).toMatchObject({ status: 201, body: { name: name.trim(), parent } });
  return Number(at(body, "id"));
};
const upload = async (name: string, folder?: unknown) => {
  const info = { field: "fileInfo", content: JSON.stringify({ folder }) };
  const { body } = await app.upload([info, { name, type: "text/plain", content: name }], token);
  return Number(at(body, "0.id"));
};
const move = (body: object) => send("POST", "/move", body);
const tree = async () => {
  const { body } = await send("GET", "/folders");
  return Array.isArray(body) ? body.map(({ path }) => String(path)) : body;
};
const namesIn = async (folder: number | "top", query = "") => {
  const { status, body } = await send("GET", `/folders/${folder}/files?sort=name&${query}`);
  const data = at(body, "data");
  return status === 200 && Array.isArray(data) ? data.map(({ name }) => String(name)) : status;
};
const refused = (message: RegExp) => ({ status: 400, body: { error: { message: expect.stringMatching(message) } } });

beforeEach(() => database.script("delete from files; delete from upload_folders"));

test("folders are a tree; a file is uploaded into one, moved, and listed with the queries of other lists", async () => {
  const press = await make("Press");
  const year = await make(" 2026 ", press);
  expect((await send("GET", "/folders")).body).toEqual([
    { id: press, name: "Press", parent: null, path: "/Press" },
    { id: year, name: "2026", parent: press, path: "/Press/2026" },
  ]);
  const first = await upload("a.txt", year);
  const second = await upload("b.txt");
  expect([await namesIn(year), await namesIn("top"), await namesIn(press)]).toEqual([["a.txt"], ["b.txt"], []]);
  expect((await move({ files: [second], to: year })).status).toBe(204);
  expect(await namesIn(year)).toEqual(["a.txt", "b.txt"]);
  expect(await namesIn(year, "filters[name][$startsWith]=b")).toEqual(["b.txt"]);
  expect((await send("GET", `/folders/${year}/files?pagination[pageSize]=1&sort=name:desc`)).body).toMatchObject({
    data: [{ id: second, name: "b.txt", isUrlSigned: false }],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
  });
  expect((await move({ folders: [year], to: null })).status).toBe(204);
  expect((await send("PUT", `/folders/${year}`, { name: "Old/new 100%" })).body).toEqual({
    id: year,
    name: "Old/new 100%",
    parent: null,
    path: "/Old%2Fnew 100%25",
  });
  expect(await namesIn(year)).toEqual(["a.txt", "b.txt"]);
  expect((await move({ files: [first], to: null })).status).toBe(204);
  expect([await namesIn("top"), await namesIn(year)]).toEqual([["a.txt"], ["b.txt"]]);
});

test("files are answered as without folders, and no query names their folder", async () => {
  const folder = await make("Secret plans");
  const id = await upload("a.txt", folder);
  const answers = await Promise.all(["", "/page", `/${id}`].map((path) => send("GET", `/files${path}`)));
  for (const { text } of answers) expect(text).not.toMatch(/folder|Secret/);
  const filter = "filters[folderPath][$startsWith]=/S";
  for (const path of ["/files", "/files/page", `/folders/${folder}/files`]) {
    expect(await send("GET", `${path}?${filter}`)).toMatchObject({ status: 400 });
    expect((await send("GET", `${path}?fields=folderPath`)).text).not.toContain("Secret");
  }
});

test("a folder is not moved into itself or below; what a move cannot do as a whole, it does not begin", async () => {
  const outer = await make("outer");
  const inner = await make("inner", outer);
  const other = await make("other");
  const file = await upload("a.txt");
  for (const to of [outer, inner]) expect(await move({ folders: [other, outer], to })).toMatchObject(refused(/itself/));
  expect(await move({ files: [file, 999_999], to: other })).toMatchObject(refused(/no file 999999/));
  expect(await move({ files: [file], folders: [999_999], to: other })).toMatchObject(refused(/no folder 999999/));
  expect(await move({ files: [file], to: 999_999 })).toMatchObject(refused(/no folder 999999/));
  for (const body of [
    {},
    { files: ["1"], to: null },
    { files: [1] },
    { files: [2 ** 40], to: null },
    { files: Array.from({ length: 1001 }, () => file), to: null },
    [],
  ])
    expect((await move(body)).status).toBe(400);
  expect(await tree()).toEqual(["/other", "/outer", "/outer/inner"]);
  expect(await namesIn("top")).toEqual(["a.txt"]);
  // A name that only begins like another one is not within it.
  const outermost = await make("outermost");
  expect((await move({ folders: [outer], to: outermost })).status).toBe(204);
  expect(await tree()).toEqual(["/other", "/outermost", "/outermost/outer", "/outermost/outer/inner"]);
});

test("of two moves into each other one happens, and the tree stays a tree", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await make(`one ${round}`), await make(`two ${round}`)];
    const answers = await Promise.all([move({ folders: [one], to: two }), move({ folders: [two], to: one })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
    const isFirst = answers[0].status === 204;
    expect(await tree()).toContain(isFirst ? `/two ${round}/one ${round}` : `/one ${round}/two ${round}`);
  }
});

test("an upload into a folder that is renamed or deleted meanwhile is in it, or is refused and leaves nothing", async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = await make(`folder ${round}`);
    const renaming = round % 2 === 0;
    const change = () =>
      renaming ? send("PUT", `/folders/${folder}`, { name: `new ${round}` }) : send("DELETE", `/folders/${folder}`);
    const [uploads, changed] = await Promise.all([
      Promise.all(["a.txt", "b.txt", "c.txt"].map((name) => upload(name, folder))),
      change(),
    ]);
    const stored = uploads.filter((id) => !Number.isNaN(id)).length;
    if (renaming) expect([stored, (await namesIn(folder)).toString()]).toEqual([3, "a.txt,b.txt,c.txt"]);
    else expect([changed.status, stored]).toEqual(stored === 0 ? [200, 0] : [400, stored]);
    const lost = await database.rows(
      "select name from files where folder_path is not null and folder_path not in (select path from upload_folders)",
    );
    expect(lost).toEqual([]);
    expect(await namesIn("top")).toEqual([]);
  }
});

test("only an empty folder is deleted", async () => {
  const outer = await make("outer");
  const inner = await make("inner", outer);
  const file = await upload("a.txt", inner);
  for (const folder of [outer, inner])
    expect(await send("DELETE", `/folders/${folder}`)).toMatchObject(refused(/not empty/));
  await send("DELETE", `/files/${file}`);
  expect(await send("DELETE", `/folders/${inner}`)).toMatchObject({ status: 200, body: { name: "inner" } });
  expect((await send("DELETE", `/folders/${inner}`)).status).toBe(404);
  expect((await send("DELETE", `/folders/${outer}`)).status).toBe(200);
  for (const path of ["0", "x", "99999999999", "top"])
    expect((await send("DELETE", `/folders/${path}`)).status).toBe(404);
});

test("names are unique within a folder, and kept as they are, with markup and wildcards too", async () => {
  const outer = await make("outer");
  await make("a", outer);
  expect(await send("POST", "/folders", { name: "a", parent: outer })).toMatchObject(refused(/already a folder/));
  const top = await make("a");
  expect(await move({ folders: [top], to: outer })).toMatchObject(refused(/already a folder/));
  expect(await send("PUT", `/folders/${top}`, { name: "outer" })).toMatchObject(refused(/already a folder/));
  const odd = ['<img src=x onerror="alert(1)">', "%2F", "100%_", "..", "'; drop table files; --", "é".normalize("NFC")];
  for (const name of odd) await make(name, top);
  expect((await send("POST", "/folders", { name: "é".normalize("NFD"), parent: top })).status).toBe(400);
  // The wildcards of one name are not those of a search: nothing else is renamed along.
  await make("100x", top);
  const renamed = await send("PUT", `/folders/${top}`, { name: "𝒃" });
  expect(renamed).toMatchObject({ status: 200, body: { path: "/𝒃" } });
  const { body } = await send("GET", "/folders");
  const names = Array.isArray(body) ? body.filter(({ parent }) => parent === top).map(({ name }) => String(name)) : [];
  expect(names.toSorted()).toEqual([...odd, "100x"].toSorted());
  for (const name of ["", "  ", "x".repeat(101), "a\0b", "a\nb", "\ud800", 5, null, undefined])
    expect((await send("POST", "/folders", { name })).status).toBe(400);
  expect((await send("POST", "/folders", { name: "b", colour: "red" })).status).toBe(400);
});

test("a path that no index could hold is refused, also when a parent makes it that long", async () => {
  let parent: number | null = null;
  for (let depth = 0; depth < 6; depth += 1) parent = await make(`${depth}${"水".repeat(99)}`, parent);
  expect(await send("POST", "/folders", { name: "水".repeat(100), parent })).toMatchObject(refused(/too long/));
  const [top] = await database.rows("select id from upload_folders order by id limit 1");
  const outer = await make("水".repeat(100));
  expect(await move({ folders: [top?.[0]], to: outer })).toMatchObject(refused(/too long/));
});

test("each request needs its action, and without folders in the configuration there is none of them", async () => {
  const folder = await make("a");
  const requests = [
    ["GET", "/folders", LIST, undefined],
    ["GET", `/folders/${folder}/files`, LIST, undefined],
    ["POST", "/folders", CHANGE, { name: "b" }],
    ["PUT", `/folders/${folder}`, CHANGE, { name: "c" }],
    ["POST", "/move", CHANGE, { to: null }],
    ["DELETE", `/folders/${folder}`, CHANGE, undefined],
  ] as const;
  const others = ["find", "findOne", "findPage", "upload", "destroy"].map(
    (name) => `plugin::upload.content-api.${name}`,
  );
  const off = await exampleApp(afterAll, database);
  for (const [method, path, action, body] of requests) {
    const ask = async (server: typeof app, as: string) =>
      (await server.send(method, `/api/upload${path}`, { token: as, ...(body && { body }) })).status;
    expect([path, await ask(app, await app.token(...others))]).toEqual([path, 403]);
    expect([404, 405]).toContain(await ask(off, token));
    expect(await ask(app, await app.token(action, ...others))).toBeLessThan(300);
  }
  expect((await app.send("GET", `/api/upload/folders/top/files`, { token: await app.token(LIST) })).status).toBe(403);
  expect(() => off.allowPublic(LIST)).toThrow(/folder\.list/);
});

test("an upload names a folder that exists, or is refused", async () => {
  for (const folder of [999_999, "1", -1, { id: 1 }]) expect(await upload("a.txt", folder)).toBeNaN();
  expect(await upload("a.txt", null)).toBeGreaterThan(0);
  expect(await namesIn("top")).toEqual(["a.txt"]);
});

test("a thousand folders are listed and renamed at once, and imported ones are there after a start", async () => {
  const root = await make("root");
  await database.rows("insert into upload_folders (path) select '/root/' || n from generate_series(1, 1000) as n");
  const file = await upload("a.txt");
  await database.rows("update files set folder_path = '/Imported/Deep/er' where id = $1", [file]);
  const started = performance.now();
  expect((await send("PUT", `/folders/${root}`, { name: "moved" })).status).toBe(200);
  expect(await tree()).toHaveLength(1001);
  expect(performance.now() - started).toBeLessThan(5000);
  const stop = await startFeatures(app.services);
  await stop();
  expect(String(await tree())).toMatch(/^\/Imported,\/Imported\/Deep,\/Imported\/Deep\/er,\/moved,\/moved\/1,/);
});
