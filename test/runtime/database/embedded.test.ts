import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { DatabaseFolderError } from "../../../runtime/database/embedded.ts";
import { DatabaseLockedError, takeLock } from "../../../runtime/database/lock.ts";
import { openDatabase } from "../../../runtime/database/open.ts";

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

test("a folder that was never finished is set aside, not opened", async () => {
  const root = await folder();
  const first = await openDatabase(config, root);
  await first.close();
  await rm(path.join(root, ".cms", "data", "galley.json"));
  const again = await openDatabase(config, root);
  expect(await again.rows("select 1")).toEqual([[1]]);
  await again.close();
  expect((await readdir(path.join(root, ".cms"))).filter((name) => name.startsWith("data.incomplete-"))).toHaveLength(
    1,
  );
});

test("a folder of another version is refused", async () => {
  const root = await folder();
  const first = await openDatabase(config, root);
  await first.close();
  await writeFile(path.join(root, ".cms", "data", "galley.json"), '{ "pglite": "0.3.15" }');
  await expect(openDatabase(config, root)).rejects.toBeInstanceOf(DatabaseFolderError);
  expect(existsSync(path.join(root, ".cms", "data.lock"))).toBe(false);
});

test("the lock of a process that was killed does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  const script = `
    import { takeLock } from ${JSON.stringify(new URL("../../../dist/runtime/database/lock.js", import.meta.url).href)};
    await takeLock(${JSON.stringify(file)}, "cms start");
    process.stdout.write("held");
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  onTestFinished(() => void holder.kill("SIGKILL"));
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await expect(takeLock(file, "cms dev")).rejects.toThrow(`"cms start" (process ${holder.pid}`);
  holder.kill("SIGKILL");
  await ended;
  const release = await takeLock(file, "cms dev");
  await release();
  expect(existsSync(file)).toBe(false);
});

test("the lock of an earlier process with the same number does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  const past = { pid: process.ppid, started: "another time", command: "cms start", since: "2026-01-01T00:00:00.000Z" };
  await writeFile(file, JSON.stringify(past));
  const release = await takeLock(file, "cms dev");
  await release();
});

test("a lock file that says nothing does not count", async () => {
  const file = path.join(await folder(), "data.lock");
  await writeFile(file, "");
  const release = await takeLock(file, "cms dev");
  await release();
});
