/** What changes of folders leave behind: in the tree, the audit log and events; and what they and a start read. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import * as auditTables from "../../../runtime/audit/tables.ts";
import { APPEND_ONLY } from "../../../runtime/database/migrations/append-only.ts";
import * as eventTables from "../../../runtime/events/tables.ts";
import { addMissingFolders } from "../../../runtime/folders/folders.ts";
import { uploadFolders } from "../../../runtime/folders/tables.ts";
import { at, textAt } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { recording } from "../../support/database.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const database = await exampleDatabase(afterAll);
await database.script(APPEND_ONLY);
const tables = [uploadFolders, ...Object.values({ ...auditTables, ...eventTables })];
await database.script(creationSql(describeTables(tables)));
// Nothing is delivered: no worker of events is started.
const webhooks = [{ name: "files", url: "https://hooks.example/", types: ["plugin::upload.file"] }];
const app = await exampleApp(afterAll, database, { media: { folders: true }, audit: true, events: { webhooks } });
const token = await app.token();
/** Sends a request, and resolves with its answer; rejects with the error of a refused one. */
const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const { status, body: answer } = await app.send(method, `/api/upload${path}`, { token, ...(body && { body }) });
  if (status >= 400) throw Object.assign(new Error(textAt(answer, "error.message")), { status });
  return answer as Answer;
};
interface Folder {
  readonly id: number;
  readonly path: string;
}
const folders = {
  find: () => ask<Folder[]>("GET", "/folders"),
  create: (body: object) => ask<Folder>("POST", "/folders", body),
  update: (id: number, body: object) => ask<Folder>("PUT", `/folders/${id}`, body),
  delete: (id: number) => ask<Folder>("DELETE", `/folders/${id}`),
  move: (body: object) => ask("POST", "/move", body),
};
const upload = async (name: string, folder?: number): Promise<number> => {
  const info = { field: "fileInfo", content: JSON.stringify({ folder }) };
  const { body } = await app.upload([info, { name, type: "text/plain", content: name }], token);
  return Number(at(body, "0.id"));
};

const logged = async () => {
  const { body } = await app.send("GET", "/api/audit-log?action=file,folder&limit=100", { token });
  const data = at(body, "data");
  return Array.isArray(data)
    ? data.map((entry) => ["action", "subject.name", "details"].map((key) => at(entry, key)))
    : [];
};
const told = async () => {
  const rows = await database.rows("select name, entry from event_log order by position");
  return rows.map(([name, entry]) => [name, at(JSON.parse(String(entry)), "name")]);
};
const refused = (message: RegExp) => expect.objectContaining({ status: 400, message: expect.stringMatching(message) });

beforeEach(() => database.script("delete from files; delete from upload_folders; delete from event_log"));

test("one request renames and moves a folder: both happen, or neither", async () => {
  const press = await folders.create({ name: "Press" });
  const old = await folders.create({ name: "Old", parent: press.id });
  const other = await folders.create({ name: "2026" });
  await folders.create({ name: "2025", parent: press.id });
  expect(await folders.update(old.id, { name: "2024", parent: other.id })).toEqual({
    id: old.id,
    name: "2024",
    parent: other.id,
    path: "/2026/2024",
  });
  expect(await folders.update(old.id, { parent: press.id })).toMatchObject({ path: "/Press/2024" });
  expect(await folders.update(old.id, {})).toMatchObject({ path: "/Press/2024" });
  await expect(folders.update(old.id, { name: "2026", parent: null })).rejects.toEqual(refused(/already a folder/));
  await expect(folders.update(press.id, { name: "new", parent: old.id })).rejects.toEqual(refused(/itself/));
  await expect(folders.update(old.id, { name: "new", parent: 999_999 })).rejects.toEqual(refused(/no folder 999999/));
  expect((await folders.find()).map(({ path }) => path)).toEqual(["/2026", "/Press", "/Press/2024", "/Press/2025"]);
});

test("the audit log names each change of a folder, and events tell of each file that a move has put elsewhere", async () => {
  const press = await folders.create({ name: "Press" });
  const year = await folders.create({ name: "2026", parent: press.id });
  const one = await upload("one.txt", press.id);
  const two = await upload("two.txt");
  await folders.move({ files: [one, two], folders: [year.id], to: press.id });
  await folders.move({ files: [two], folders: [year.id], to: null });
  await folders.move({ files: [two], folders: [year.id], to: null });
  await folders.update(year.id, { name: "2027" });
  await folders.delete(year.id);
  await expect(folders.move({ files: [two, 999_999], to: press.id })).rejects.toEqual(refused(/no file/));
  expect((await logged()).slice(0, 7)).toEqual([
    ["folder.delete", "/2027", {}],
    ["folder.update", "/2027", { from: "/2026" }],
    ["file.move", "/", { files: [two] }],
    ["folder.update", "/2026", { from: "/Press/2026" }],
    ["file.move", "/Press", { files: [two] }],
    ["folder.create", "/Press/2026", {}],
    ["folder.create", "/Press", {}],
  ]);
  expect(await told()).toEqual([
    ["media.create", "one.txt"],
    ["media.create", "two.txt"],
    ["media.update", "two.txt"],
    ["media.update", "two.txt"],
  ]);
  const { data } = await ask<{ data: object[] }>("GET", `/folders/${press.id}/files?fields=name`);
  expect(data).toMatchObject([{ name: "one.txt" }]);
});

test("a start reads of the files no more than the index of their folders", async () => {
  await database.rows(
    `insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at, folder_path)
     select 'f' || n, 'f', 'f', 'text/plain', 1, '/', 'local', now(), now(),
       case when n % 2 = 0 then '/a/' || n % 3 end from generate_series(1, 30000) n`,
  );
  await database.script("analyze files");
  const { database: watched, statements } = recording(database);
  await addMissingFolders(watched);
  const plans = await Promise.all(
    statements.filter((sql) => /from files/.test(sql)).map((sql) => database.rows(`explain ${sql}`)),
  );
  expect(plans).toHaveLength(1);
  const plan = plans.flat().join("\n");
  expect(plan).toContain("files_folder_path_index");
  expect(plan).not.toMatch(/Seq Scan on files|\bBitmap Heap Scan on files/);
  expect((await folders.find()).map(({ path }) => path)).toEqual(["/a", "/a/0", "/a/1", "/a/2"]);
});
