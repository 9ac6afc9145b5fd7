import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundledModules } from "../support/bundled-modules.ts";
import { cms, cmsOutput, repository, serve, startCms } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { listenOnFreePort } from "../support/listen.ts";
import { generatedProject, migratedProject, projectOnServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

/** The address that a project's `.env` names. */
const databaseUrl = async (root: string): Promise<string> =>
  (await readFile(path.join(root, ".env"), "utf8")).replace(/^DATABASE_URL=/, "").trim();

test("a server refuses to start while migrations are pending, and says what to run", async () => {
  const root = await generatedProject();
  const { code, stderr } = await cms(root, ["start", "--port", "0"]);
  expect(code).toBe(2);
  expect(stderr).toContain("cms migrate");
});

test("a server refuses code that was generated for the other format of GraphQL", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "cms.config.ts"), 'export default { graphql: { format: "flat" } };');
  const { code, stderr } = await cms(root, ["start", "--port", "0"]);
  expect(code).toBe(2);
  expect(stderr).toContain('is for the GraphQL format "entity", and `graphql.format` is "flat": run `cms generate`');
});

test("a server starts on a newer database where a flag or the configuration says so, and not otherwise", async () => {
  const root = await projectOnServer();
  const sql = postgres(await databaseUrl(root), { max: 1, onnotice: () => {} });
  await sql`insert into galley_migrations (name, checksum, finished_at) values ('99990101000000_later', 'none', now())`;
  await sql.end();
  const refused = await cms(root, ["start", "--port", "0"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("newer than this build: 99990101000000_later is applied");

  const port = await freePort();
  const { child } = startCms(root, ["start", "--allow-newer", "--port", String(port)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/_health`)).status).toBe(204), SOON);

  await writeFile(path.join(root, "cms.config.ts"), "export default { database: { allowNewer: true } };");
  const { url } = await serve(root);
  expect((await fetch(`${url}/api/articles`)).status).not.toBe(503);
});

test("starting and serving loads no part of the generator, and an unchanged project no bundler", async () => {
  const root = await projectOnServer();
  const first = await serve(root);
  await first.stop();

  const log = path.join(root, "loaded.txt");
  await writeFile(log, "");
  const hook = path.join(repository, "test/support/log-modules.mjs");
  const second = await serve(root, { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: log });
  await fetch(`${second.url}/api/articles`);
  await second.stop();
  const loaded = await readFile(log, "utf8");
  const modules = await bundledModules(loaded);
  expect(modules).toContain("generator/commands/start.js");
  expect(modules).not.toMatch(/^generator\/(?:schema|model|attributes|emit|migrate|output|diagnostics)\//m);
  // What this project has not configured.
  expect(modules).not.toMatch(/^runtime\/(?:audit|events|history)\//m);
  expect(`${loaded}\n${modules}`).not.toMatch(/\/node_modules\/(?:ts-morph|handlebars|drizzle-kit|esbuild|chokidar)\//);
  // What only files, logins, mails and tasks need is loaded with the first of them.
  const files = ["@fastify/busboy", "@sindresorhus/slugify", "aws4fetch", "file-type", "mime", "sharp"];
  const logins = ["bcrypt", "jose", "oauth4webapi", "rate-limiter-flexible"];
  const early = [...files, ...logins, "croner", "graphql", "nodemailer"].filter((name) =>
    loaded.includes(`/node_modules/${name}/`),
  );
  expect(early).toEqual([]);
});

test("a server that is told to stop says so, ends with 0 and frees its database", async () => {
  const root = await migratedProject();
  const { stop, output } = await serve(root);
  expect(await stop()).toBe(0);
  expect(output.stdout).toMatch(/"listening"[^]*"finishing running requests"[^]*"stopped"/);
  expect((await cms(root, ["token", "list"])).code).toBe(0);
});

/** Starts `cms start` on a database of its own whose rows are all locked, with a write that waits for them. */
const startWithWaitingWrite = async (shutdownSeconds: number) => {
  const root = await projectOnServer();
  await writeFile(
    path.join(root, "cms.config.ts"),
    `export default { server: { shutdownSeconds: ${shutdownSeconds} } };\n`,
  );
  const token = await cmsOutput(root, ["token", "create", "--name", "writer", "--type", "full-access"]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const port = await freePort();
  const { child, ended } = startCms(root, ["start", "--port", String(port)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}/api/articles`;
  await vi.waitFor(() => fetch(url), SOON);
  const sql = postgres(await databaseUrl(root), { max: 1, onnotice: () => {} });
  const lock = await sql.reserve();
  onTestFinished(async () => {
    lock.release();
    await sql.end({ timeout: 0 });
  });
  await lock`begin`;
  await lock`lock table documents in access exclusive mode`;
  const body = JSON.stringify({ data: { title: "Waiting" } });
  const write = fetch(url, { method: "POST", headers, body }).catch(() => {});
  await vi.waitFor(async () => {
    const [waiting] = await lock`select 1 from pg_locks where not granted and relation = 'documents'::regclass`;
    expect(waiting).toBeDefined();
  }, SOON);
  return { child, ended, write, url };
};

test("a server ends in bounded time, whatever a write waits for", async () => {
  const { child, ended, write } = await startWithWaitingWrite(0.5);
  child.kill("SIGHUP");
  const outcome = await Promise.race([ended, wait(SOON.timeout, "still runs")]);
  expect(outcome).toMatchObject({ code: expect.any(Number) });
  await write;
});

test("a second signal ends a server at once", async () => {
  const { child, ended, url } = await startWithWaitingWrite(600);
  child.kill("SIGTERM");
  // It has heard the first when it takes no connections.
  await vi.waitFor(() => expect(fetch(url, { headers: { connection: "close" } })).rejects.toThrow(), SOON);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 143 });
});

test("a port that is taken is named", async () => {
  const root = await projectOnServer();
  const other = createServer();
  const { port } = new URL(await listenOnFreePort(other));
  onTestFinished(() => void other.close());
  const { code, stderr } = await cms(root, ["start", "--port", port]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Port ${port} is in use`);
});

test("a database that cannot be reached is named without its password", async () => {
  const root = await generatedProject();
  const { code, stderr } = await cms(root, ["start"], { DATABASE_URL: "postgres://me:hidden@127.0.0.1:1/site" });
  expect(code).toBe(2);
  expect(stderr).toContain("127.0.0.1:1/site");
  expect(stderr).not.toContain("hidden");
});

test("a project without generated code says what to run", async () => {
  const root = await projectOnServer();
  await rm(path.join(root, "generated/index.ts"));
  const { code, stderr } = await cms(root, ["start"]);
  expect(code).toBe(2);
  expect(stderr).toContain("cms generate");
});
