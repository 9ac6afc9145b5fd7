/** `cms client` as a front end uses it that has nothing else of the server. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../runtime/http/listen.ts";
import { cms, cmsOutput, emptyFolder, repository, run } from "../support/cms.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";
import { folderOfRun } from "../support/run-folder.ts";
import { writeFiles } from "../support/workspace.ts";

const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
const options =
  "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false --target es2023 --module nodenext";

/** A front end that has installed the client of the example, and nothing else. */
const folder = await folderOfRun("front-end");
await cmsOutput(repository, ["client", "--out", path.join(folder, "node_modules/cms-client")]);
writeFiles(folder, [["package.json", '{"type":"module"}']]);

const compile = async (...more: readonly string[]): Promise<string> => {
  const args = [compiler, ...options.split(" "), "--lib", "es2023,dom,dom.iterable", "--types", "", ...more];
  return (await run(process.execPath, args, { cwd: folder })).stdout;
};

test("the package has the types of the generated client, compiles strictly and depends on nothing", async () => {
  const program = await readFile(path.join(repository, "test/types/client.ts"), "utf8");
  const imported = program
    .replace("../../generated/client/index.ts", "cms-client")
    .replace("../../runtime/client/index.ts", "cms-client/client")
    .replace("../../runtime/schema/typed/index.ts", "cms-client/query")
    .replace("./same.ts", "./same.js");
  writeFiles(folder, [
    ["client.ts", imported],
    ["same.ts", await readFile(path.join(repository, "test/types/same.ts"), "utf8")],
  ]);
  expect(await compile("client.ts", "--noEmit")).toBe("");
  const files = (await compile("client.ts", "--listFilesOnly")).trim().split("\n");
  expect(files.filter((file) => !file.startsWith(folder) && !/\/lib\.[\w.]+\.d\.ts$/.test(file))).toEqual([]);
  const { dependencies } = JSON.parse(
    await readFile(path.join(folder, "node_modules/cms-client/package.json"), "utf8"),
  );
  expect(dependencies).toBeUndefined();
});

const PROGRAM = `import { type ArticleInput, createClient } from "cms-client";
import { RequestError } from "cms-client/client";

export const talk = async (url: string, token: string): Promise<readonly string[]> => {
  const cms = createClient({ url, token });
  const input: ArticleInput = { title: "From afar", slug: "from-afar", sections: [{ __component: "blocks.text", body: "b" }] };
  const { data: created } = await cms.articles.create({ data: input });
  const { data: found } = await cms.articles.find({ filters: { slug: { $eq: "from-afar" } }, populate: ["sections"], status: "draft" });
  const [section] = found[0]?.sections ?? [];
  const refused = await createClient({ url }).articles.create({ data: input }).then(() => 0, (error: unknown) => error instanceof RequestError && error.status);
  return [created.title ?? "", section?.__component ?? "", String(refused)];
};
`;

test("a strict front end is compiled with it, and talks to a running server", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase());
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  writeFiles(folder, [["site.ts", PROGRAM]]);
  expect(await compile("site.ts")).toBe("");
  const { talk } = await import(path.join(folder, "site.js"));
  expect(await talk(`http://127.0.0.1:${port}`, await app.token())).toEqual(["From afar", "blocks.text", "403"]);
});

test("it replaces a package of before, and no other folder", async () => {
  const other = await emptyFolder();
  const args = ["client", "--out", other];
  await cmsOutput(repository, args);
  await cmsOutput(repository, args);
  const mine = await emptyFolder();
  writeFiles(mine, [["notes.txt", "mine"]]);
  const { code, stderr } = await cms(repository, ["client", "--out", mine]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${mine} is not empty, and no client is in it`);
  expect(await readFile(path.join(mine, "notes.txt"), "utf8")).toBe("mine");
});

test("a project without a client is told what to do", async () => {
  const { code, stderr } = await cms(await emptyFolder(), ["client"]);
  expect(code).toBe(2);
  expect(stderr).toContain("does not exist: run `cms generate`");
});
