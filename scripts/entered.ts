/**
 * Counts the files and functions of the runtime that one warm request enters, with the inspector's precise coverage:
 * `npm run entered`, after `npm run build -- --modules`; `-- --files` lists them. Uses the example, in a separate
 * embedded database.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type * as folders from "../runtime/app/loader/project-folder.ts";
import type * as projects from "../runtime/app/project.ts";
import type * as servers from "../runtime/app/server.ts";
import type * as starting from "../runtime/app/start.ts";

const repository = path.resolve(import.meta.dirname, "..");
const root = mkdtempSync(path.join(tmpdir(), "galley-entered-"));
const cms = (...args: string[]): string =>
  execFileSync(process.execPath, [path.join(repository, "dist/generator/cli.js"), "--root", root, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();

/** Runs and counts the built modules: sources would go through another compiler. */
const built = <Module>(file: string): Promise<Module> =>
  import(pathToFileURL(path.join(repository, "dist/runtime", file)).href);

const open = async () => {
  const { projectFolder } = await built<typeof folders>("app/loader/project-folder.js");
  const { openProject } = await built<typeof projects>("app/project.js");
  const { createServices } = await built<typeof starting>("app/start.js");
  const { createHonoApp } = await built<typeof servers>("app/server.js");
  const project = await openProject(projectFolder(root), "entered");
  return { project, app: createHonoApp(await createServices(project), project.application) };
};

const RUNTIME = pathToFileURL(path.join(repository, "dist/runtime/")).href;

/** Runs `work` once, and returns the files and functions entered. */
const entered = async (session: Session, work: () => Promise<void>) => {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result
    .filter(({ url }) => url.startsWith(RUNTIME))
    .map(({ url, functions }) => ({
      file: url.slice(RUNTIME.length),
      // The first is the module itself.
      count: functions.filter(
        ({ functionName, ranges }, index) => ranges[0]?.count !== 0 && (index > 0 || functionName),
      ).length,
    }))
    .filter(({ count }) => count > 0);
  return files.toSorted((one, other) => (one.file < other.file ? -1 : 1));
};

const WARM = 20;

try {
  for (const part of ["content-types", "generated", "cms.config.ts"]) {
    cpSync(path.join(repository, part), path.join(root, part), { recursive: true });
  }
  symlinkSync(path.join(repository, "node_modules"), path.join(root, "node_modules"));
  cms("migrate");
  const token = cms("token", "create", "--name", "entered", "--type", "full-access");
  const { project, app } = await open();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = async (method: string, address: string, body?: object): Promise<string> => {
    const answer = await app.request(address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  const created: { data: { documentId: string } } = JSON.parse(
    await request("POST", "/api/articles", { data: { title: "One", slug: "one" } }),
  );
  let number = 0;
  const requests: Readonly<Record<string, () => Promise<string>>> = {
    "GET a list": () => request("GET", "/api/articles?populate=*"),
    "PUT that publishes": () =>
      request("PUT", `/api/articles/${created.data.documentId}`, { data: { title: `Number ${(number += 1)}` } }),
    "GraphQL query": () => request("POST", "/graphql", { query: "{ articles { data { id attributes { title } } } }" }),
  };
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (const [name, run] of Object.entries(requests)) {
    for (let count = 0; count < WARM; count += 1) await run();
    const files = await entered(session, async () => void (await run()));
    const functions = files.reduce((sum, { count }) => sum + count, 0);
    console.log(`${name.padEnd(20)} ${files.length} files, ${functions} functions`);
    if (process.argv.includes("--files")) for (const { file, count } of files) console.log(`  ${file} (${count})`);
  }
  session.disconnect();
  await project.database.close();
} finally {
  rmSync(root, { recursive: true, force: true });
}
