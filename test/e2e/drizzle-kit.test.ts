/** drizzle-kit on a project of `cms init`: its checks, and what its studio reads and shows, without the browser. */
import { spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { onTestFinished, test } from "vitest";
import { cmsOutput, emptyFolder, repository, run } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";

const drizzleKit = path.join(repository, "node_modules/drizzle-kit/bin.cjs");

const initialized = async (): Promise<string> => {
  const root = await emptyFolder();
  await cmsOutput(root, ["init"]);
  await cmsOutput(root, ["generate"]);
  await mkdir(path.join(root, "node_modules"), { recursive: true });
  await symlink(repository, path.join(root, "node_modules/galley-cms"));
  await symlink(path.join(repository, "node_modules/drizzle-orm"), path.join(root, "node_modules/drizzle-orm"));
  return root;
};

/** Starts the studio's server; returns a function that asks it what its page asks it. */
const startStudio = async (root: string, url: string) => {
  const port = await freePort();
  const child = spawn(process.execPath, [drizzleKit, "studio", "--port", String(port)], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => {
        printed += text.toString();
        if (printed.includes("up and running")) resolve();
      });
    child.once("exit", () => reject(new Error(printed)));
  });
  return async (body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
  };
};

test("check is content, the tables are those of the schema files, and the studio has relations and rows", async ({
  expect,
}) => {
  const root = await initialized();
  const checked = await run(process.execPath, [drizzleKit, "check"], { cwd: root });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("Everything's fine") });
  const exported = await run(process.execPath, [drizzleKit, "export"], { cwd: root });
  for (const table of ["articles", "up_users", "documents", "files"])
    expect(exported.stdout).toContain(`CREATE TABLE "${table}" (`);

  const url = await freshPostgresUrl(onTestFinished);
  await cmsOutput(root, ["migrate"], { DATABASE_URL: url });
  const ask = await startStudio(root, url);
  const relation = {
    table: "up_users",
    columns: ["role_document_id"],
    refTable: "documents",
    refColumns: ["document_id"],
  };
  expect(await ask({ type: "init" })).toMatchObject({
    dialect: "postgresql",
    relations: expect.arrayContaining([expect.objectContaining({ ...relation, type: "one" })]),
  });
  const statement = { sql: "select count(*)::int as articles from articles", method: "all" };
  expect(await ask({ type: "proxy", data: statement })).toEqual([{ articles: 0 }]);
});
