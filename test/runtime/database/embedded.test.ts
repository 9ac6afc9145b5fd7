import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { DatabaseFolderError } from "../../../runtime/database/embedded/embedded.ts";
import { DatabaseLockedError, describeSelf, takeLock } from "../../../runtime/database/embedded/lock.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { SOON } from "../../support/soon.ts";

const folder = async () => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-embedded-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
};
const config = configSchema.parse({});

test("the embedded database keeps its data, and one process holds it at a time", async () => {
  const root = await folder();
  const first = await openDatabase(config, root, "cms dev");
  await first.script("create table t (n int); insert into t values (42)");
  const second = openDatabase(config, root, "cms migrate");
  await expect(second).rejects.toBeInstanceOf(DatabaseLockedError);
  await expect(second).rejects.toThrow(`"cms dev" (process ${process.pid}`);
  await first.close();
  await first.close();

  const again = await openDatabase(config, root);
  expect(await again.rows("select n from t")).toEqual([[42]]);
  await again.close();
  expect(existsSync(path.join(root, ".cms", "data.lock"))).toBe(false);
});

/** An embedded database as the first start leaves it: making one takes a second. */
const made = await mkdtemp(path.join(tmpdir(), "galley-embedded-"));
afterAll(() => rm(made, { recursive: true }));
beforeAll(async () => {
  const database = await openDatabase(config, made);
  await database.script("create table made (n int)");
  await database.close();
});

/** The folder of a project whose database was made before. */
const folderWithDatabase = async (): Promise<string> => {
  const root = await folder();
  await cp(made, root, { recursive: true });
  return root;
};

test("a statement that is planned while its table is small finds its rows by index when the table has grown", async () => {
  const database = await openDatabase(config, await folderWithDatabase());
  onTestFinished(() => database.close());
  await database.script(
    "create table documents (id text primary key, title varchar(255), slug varchar(255), body json)",
  );
  const statement = "select id, body from documents where id = any((select $1::text[])::text[]) for no key update";
  for (let time = 0; time < 7; time += 1) await database.rows(statement, [["one"]]);
  await database.rows("insert into documents select n::text, 'x', 'y', '{}' from generate_series(1, 3000) n");
  const [[name] = []] = await database.rows("select name from pg_prepared_statements where statement = $1", [
    statement,
  ]);
  const plan = await database.rows(`explain execute ${String(name)} ('{one}')`);
  expect(plan.join("\n")).toMatch(/Index Scan/);
});

test("a server that starts waits for a command that has the database open", async () => {
  const root = await folderWithDatabase();
  const command = await openDatabase(config, root, "cms token create");
  await expect(openDatabase(config, root, "cms migrate reset")).rejects.toBeInstanceOf(DatabaseLockedError);
  let isOpen = false;
  const server = openDatabase(config, root, "cms start").then((database) => {
    isOpen = true;
    return database;
  });
  expect(await command.rows("select 1")).toEqual([[1]]);
  expect(isOpen).toBe(false);
  await command.close();
  const database = await server;
  expect(await database.rows("select 2")).toEqual([[2]]);
  await database.close();
});

test("a folder that was never finished is set aside, not opened", async () => {
  const root = await folderWithDatabase();
  await rm(path.join(root, ".cms", "data", "galley.json"));
  const again = await openDatabase(config, root);
  expect(await again.rows("select 1")).toEqual([[1]]);
  await again.close();
  expect((await readdir(path.join(root, ".cms"))).filter((name) => name.startsWith("data.incomplete-"))).toHaveLength(
    1,
  );
});

test("a folder of another version is refused", async () => {
  const root = await folderWithDatabase();
  await writeFile(path.join(root, ".cms", "data", "galley.json"), '{ "pglite": "0.3.15" }');
  await expect(openDatabase(config, root)).rejects.toBeInstanceOf(DatabaseFolderError);
  expect(existsSync(path.join(root, ".cms", "data.lock"))).toBe(false);
});

/** A process of its own that holds the lock `file`. */
const startHolder = async (file: string) => {
  const script = `
    import { takeLock } from ${JSON.stringify(new URL("../../../dist/runtime/database/embedded/lock.js", import.meta.url).href)};
    await takeLock(${JSON.stringify(file)}, "cms start");
    process.stdout.write("held");
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => {
    holder.once("exit", (_code, signal) => resolve(signal));
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return { holder, ended };
};

test("the lock of a process that was killed does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  const { holder, ended } = await startHolder(file);
  await expect(takeLock(file, "cms dev")).rejects.toThrow(`"cms start" (process ${holder.pid}`);
  holder.kill("SIGKILL");
  await ended;
  const { release } = await takeLock(file, "cms dev");
  await release();
  expect(existsSync(file)).toBe(false);
});

/** The lock of a process in another container, whose number says nothing here. */
const foreignLock = async (where: object): Promise<string> => {
  const file = path.join(await folder(), "data.lock");
  const holder = { ...(await describeSelf("cms start")), pid: 2 ** 22, started: "1", namespace: "pid:[1]", ...where };
  await writeFile(file, JSON.stringify(holder));
  return file;
};

test("the lock of another container holds as long as it gives a sign of life", async () => {
  const file = await foreignLock({ host: "other" });
  let sign = Promise.resolve();
  const giveSign = () => utimes(file, new Date(), new Date()).catch(() => {});
  const alive = setInterval(() => void (sign = sign.then(giveSign)), 50);
  onTestFinished(() => clearInterval(alive));
  await expect(takeLock(file, "cms dev", 60_000)).rejects.toThrow('"cms start" (process 4194304 on other');
  clearInterval(alive);
  await sign;
  const { release } = await takeLock(file, "cms dev", 500);
  await release();
});

test("the lock of another machine is not taken when nothing is heard of it, and what to do is said", async () => {
  const file = await foreignLock({ host: "other", boot: "another" });
  await expect(takeLock(file, "cms dev", 300)).rejects.toThrow(`delete ${file} and start again`);
  expect(existsSync(file)).toBe(true);
});

test("whoever holds a lock gives signs of life, and ends when another has taken it", async () => {
  const file = path.join(await folder(), "data.lock");
  const { ended } = await startHolder(file);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(file, longAgo, longAgo);
  await vi.waitFor(async () => expect((await stat(file)).mtimeMs).toBeGreaterThan(longAgo.getTime() + 1000), SOON);
  await writeFile(file, JSON.stringify(await describeSelf("cms start")));
  expect(await ended).toBe("SIGKILL");
});

test("a process that stood still while another took its lock writes and answers nothing more", async () => {
  const root = await folder();
  const script = `
    import { writeFileSync } from "node:fs";
    import { openEmbedded } from ${JSON.stringify(new URL("../../../dist/runtime/database/embedded/embedded.js", import.meta.url).href)};
    const database = await openEmbedded(${JSON.stringify(path.join(root, "data"))}, "cms start");
    await database.rows("select 1");
    const now = Date.now;
    Date.now = () => now() + 60_000;
    writeFileSync(${JSON.stringify(path.join(root, "data.lock"))}, "another's");
    await database.rows("select 1");
    process.stdout.write("answered");
    process.exit();
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  const signal = await new Promise((resolve) => {
    child.once("close", (_code, given) => resolve(given));
  });
  expect([signal, output]).toEqual(["SIGKILL", ""]);
});

test("no other account can read or write the database", async () => {
  const below = await readdir(path.join(made, ".cms"), { recursive: true });
  const all = [path.join(made, ".cms"), ...below.map((name) => path.join(made, ".cms", name))];
  const open = await Promise.all(all.map(async (name) => ((await stat(name)).mode & 0o077 ? [name] : [])));
  expect(open.flat()).toEqual([]);
});

test("the lock of an earlier process with the same number does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  const past = { ...(await describeSelf("cms start")), pid: process.ppid, started: "another time" };
  await writeFile(file, JSON.stringify(past));
  const { release } = await takeLock(file, "cms dev");
  await release();
});

test("a lock file that says nothing does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  await writeFile(file, "");
  const { release } = await takeLock(file, "cms dev");
  await release();
});
