import { existsSync } from "node:fs";
import { lstat, mkdtemp, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import { connect as connectTo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { makeAddress } from "../../../runtime/database/ipc/address.ts";
import { connectToServer } from "../../../runtime/database/ipc/client.ts";
import { freshDatabase } from "../../support/database.ts";
import { serveFromFolder, VERSION } from "../../support/ipc.ts";
import { SOON } from "../../support/soon.ts";

const database = await freshDatabase("pglite");
const served = await serveFromFolder(database, afterAll);
const place = path.join(served.root, ".cms", "server.sock");
await database.script("create table t (n int)");

const connected = async (): Promise<Database> => {
  const remote = await served.connect();
  if (remote === undefined) throw new Error("nobody answers");
  onTestFinished(() => remote.close());
  return remote;
};

/** Sends lines as they are, and returns those that come back until the other side ends. */
const converse = (lines: readonly string[], address = place): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTo(address);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    socket.once("close", () => resolve(answer));
    socket.once("error", reject);
    socket.write(lines.map((line) => `${line}\n`).join(""));
  });

const greeting = (version: string): string => JSON.stringify({ version, command: "cms test", pid: 1 });

test("the socket is its owner's alone, and goes with the server", async () => {
  expect((await stat(place)).mode & 0o777).toBe(0o600);
  const other = await serveFromFolder(database, onTestFinished);
  const socket = path.join(other.root, ".cms", "server.sock");
  expect(existsSync(socket)).toBe(true);
  await other.server.close();
  expect(existsSync(socket)).toBe(false);
  expect(await other.connect()).toBeUndefined();
});

test("a socket that was left behind stands in nobody's way", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-ipc-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { server, connect, root: used } = await serveFromFolder(database, onTestFinished);
  await server.close();
  await writeFile(path.join(used, ".cms", "server.sock"), "");
  expect(await connect()).toBeUndefined();
  const next = createServer().listen(await makeAddress(used));
  await vi.waitFor(() => expect(next.listening).toBe(true), SOON);
  next.close();
});

test("a path that is too long for a socket is no hindrance, and leaves nothing behind", async () => {
  const { root, server, connect } = await serveFromFolder(database, onTestFinished, "a".repeat(120));
  const long = path.join(root, ".cms", "server.sock");
  expect((await lstat(long)).isSymbolicLink()).toBe(true);
  const target = await readlink(long);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(target))).mode & 0o777).toBe(0o700);
  const remote = await connect();
  expect(await remote?.rows("select 1")).toEqual([[1]]);
  await remote?.close();
  await server.close();
  expect(await readdir(path.join(root, ".cms"))).toEqual([]);
  expect(existsSync(path.dirname(target))).toBe(false);
});

test("another version is refused by both sides", async () => {
  await expect(served.connect("1.2.4")).rejects.toThrow(
    `"cms start" (process ${process.pid}) has the embedded database open with galley-cms ${VERSION}, and this is galley-cms 1.2.4.`,
  );
  const request = JSON.stringify({ sql: "select 42", parameters: [] });
  const answer = await converse([greeting("1.2.4"), request]);
  expect(JSON.parse(answer)).toMatchObject({ version: VERSION });
});

test("nothing is done for those who do not say what they are, or what they want", async () => {
  const request = JSON.stringify({ sql: "insert into t values (99)" });
  await converse([request, request]);
  await converse([greeting(VERSION), "{", request]);
  for (const end of ["commit", "rollback"]) await converse([greeting(VERSION), JSON.stringify({ end }), request]);
  const begin = JSON.stringify({ begin: "transaction" });
  await converse([greeting(VERSION), begin, request, "{", request]);
  await converse([greeting(VERSION), begin, request, JSON.stringify({ end: "never" }), request]);
  expect(await (await connected()).rows("select count(*)::int from t where n = 99")).toEqual([[0]]);
});

test("what a command had not finished when it ended is undone, and the server goes on", async () => {
  const begin = { begin: "transaction" };
  const insert = { sql: "insert into t values (1)", parameters: [] };
  const socket = connectTo(place);
  socket.write(`${greeting(VERSION)}\n`);
  let answers = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answers += text));
  for (const [index, request] of [begin, insert].entries()) {
    socket.write(`${JSON.stringify(request)}\n`);
    await vi.waitFor(() => expect(answers.match(/"rows"/g)).toHaveLength(index + 1), SOON);
  }
  // One that stands in line when it ends must not take its turn.
  const waiting = connectTo(place);
  waiting.write(`${greeting(VERSION)}\n${JSON.stringify(begin)}\n`);
  await new Promise((resolve) => waiting.once("data", resolve));
  const count = database.rows("select count(*)::int from t");
  waiting.destroy();
  socket.destroy();
  expect(await count).toEqual([[0]]);
  expect(await (await connected()).transaction((session) => session.rows("select 7"))).toEqual([[7]]);
});

test("a command whose server ends says so", async () => {
  const { server, connect } = await serveFromFolder(database, onTestFinished);
  const remote = await connect();
  const failing = remote?.transaction(async (session) => {
    await server.close();
    await session.rows("select 1");
  });
  await expect(failing).rejects.toThrow('"cms start" (process');
  await expect(remote?.rows("select 1")).rejects.toThrow("has ended");
});

test("lines are taken apart wherever they are cut, whatever stands in them", async () => {
  const remote = await connected();
  const text = `${"ü😀\u2028\u2029\n\r".repeat(60_000)}`;
  expect(await remote.rows("select $1::text", [text])).toEqual([[text]]);
});

test("where nobody has ever listened there is nobody", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-ipc-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  expect(await connectToServer(root, { command: "cms test", version: VERSION })).toBeUndefined();
});
