/** `cms init --container`: its files are followed step by step, without Docker, from what the image would get. */
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { cmsOutput, emptyFolder, run, serveBy } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { installPacked } from "../support/packed.ts";

const FILES: ReadonlySet<string> = new Set(["Dockerfile", ".dockerignore", "compose.yaml"]);
const SECRETS = ["POSTGRES_PASSWORD", "JWT_SECRET", "API_TOKEN_SALT"];

/** Files that must never get into an image. */
const FOREIGN: Readonly<Record<string, string>> = {
  ".env": "JWT_SECRET=host\n",
  ".env.production": "JWT_SECRET=host\n",
  ".npmrc": "//registry.example/:_authToken=host\n",
  ".cms/jwt-secret": "host\n",
  "token.txt": "host\n",
  "sub/token.txt": "host\n",
  "sub/node_modules/dependency/index.js": "host\n",
  "public/uploads/private.jpg": "host\n",
  "backup.tar.gz": "host\n",
  "backup.tar.gz.enc": "host\n",
  "cms.dump": "host\n",
  "server.key": "host\n",
  "build/cms.mjs": "throw new Error('built on the host');\n",
};

const put = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
};

const textOf = (root: string, name: string): Promise<string> => readFile(path.join(root, name), "utf8");

/** The patterns of a `.dockerignore` as Docker reads them: from the root, `**` for any folders. */
const ignoredBy = (text: string): RegExp => {
  const patterns = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const sources = patterns.map((pattern) =>
    pattern
      .replaceAll(/[.+^$()[\]{}|\\]/g, String.raw`\$&`)
      .replaceAll("**/", "(?:ANY/)?")
      .replaceAll("*", "[^/]*")
      .replaceAll("ANY", ".*"),
  );
  return new RegExp(`^(?:${sources.join("|")})(?:/|$)`);
};

/** The folder that `COPY . .` of the image would make of the project. */
const contextOf = async (root: string): Promise<string> => {
  const ignored = ignoredBy(await textOf(root, ".dockerignore"));
  const folder = await emptyFolder();
  const filter = (source: string) => source === root || !ignored.test(path.relative(root, source));
  await cp(root, folder, { recursive: true, filter });
  return folder;
};

/** The instructions of a Dockerfile, by stage. */
const stagesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(/^FROM .*$/m)
    .slice(1)
    .map((stage) => stage.split("\n").filter((line) => line !== ""));

const argumentsOf = (stage: readonly string[] | undefined, instruction: string): readonly string[] =>
  (stage ?? []).filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

const committed = async (): Promise<string> => {
  const root = await emptyFolder();
  await cmsOutput(root, ["init", "--container"]);
  await put(root, { "package-lock.json": "{}\n", "node_modules/host/index.js": "host\n", ...FOREIGN });
  return root;
};

test("the image is built of committed files alone, and its command ends in a server that answers", async () => {
  const root = await committed();
  const [build, final] = stagesOf(await textOf(root, "Dockerfile"));
  const [install, check = "", ...rest] = argumentsOf(build, "RUN");
  expect(install).toBe("npm ci");
  expect(argumentsOf(build, "COPY")).toEqual(["package.json package-lock.json ./", ". ."]);

  const forgotten = await contextOf(root);
  await installPacked(forgotten);
  expect((await run("bash", ["-euc", check], { cwd: forgotten })).code).toBe(1);

  await cmsOutput(root, ["generate"]);
  const context = await contextOf(root);
  const names = (await readdir(context, { recursive: true })).toSorted();
  expect(names.filter((name) => name in FOREIGN || name.includes("node_modules"))).toEqual([]);
  expect(names.filter((name) => FILES.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["cms.config.ts", "content-types/article/schema.json", "generated"]));
  await installPacked(context);
  for (const command of [check, ...rest]) {
    expect(await run("bash", ["-euc", command], { cwd: context }), command).toMatchObject({ code: 0 });
  }

  expect(argumentsOf(final, "COPY")).toEqual(["--from=build /app/build ."]);
  expect(argumentsOf(final, "USER")).toEqual(["node"]);
  const image = await emptyFolder();
  await cp(path.join(context, "build"), image, { recursive: true, verbatimSymlinks: true });
  await rm(context, { recursive: true });
  const [folders = ""] = argumentsOf(final, "RUN").map((line) => line.split(" && chown ")[0] ?? "");
  expect(await run("bash", ["-euc", folders], { cwd: image })).toMatchObject({ code: 0 });
  // Only what the instruction gives to the user of the image can be written to.
  await chmod(image, 0o555);
  onTestFinished(() => chmod(image, 0o755));
  const [command = "", ...words] = z.array(z.string()).parse(JSON.parse(argumentsOf(final, "CMD")[0] ?? ""));
  const port = await freePort();
  const environment = {
    DATABASE_URL: await freshPostgresUrl(onTestFinished),
    JWT_SECRET: "a secret of a test, long enough",
    API_TOKEN_SALT: "a salt of a test, long enough",
  };
  const { url, stop } = await serveBy(command, words, image, port, environment);
  const answer = await fetch(`${url}/api/articles`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
  const create = ["cms.mjs", "token", "create", "--name", "test", "--type", "full-access"];
  const token = (await run("node", create, { cwd: image, env: environment })).stdout.trim();
  const body = new FormData();
  body.append("files", new Blob(["text"], { type: "text/plain" }), "note.txt");
  const upload = { method: "POST", headers: { authorization: `Bearer ${token}` }, body };
  expect((await fetch(`${url}/api/upload`, upload)).status).toBe(201);
  expect(await stop()).toBe(0);
});

test("the compose file asks for the secrets that were written, which only the owner can read", async () => {
  const root = await committed();
  const compose = await textOf(root, "compose.yaml");
  const secrets = await textOf(root, ".env.container");
  const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect([...new Set(required)].toSorted()).toEqual(SECRETS.toSorted());
  expect(secrets.match(/^\w+=[0-9a-f]{64}$/gm)?.map((line) => line.split("=")[0])).toEqual(SECRETS);
  expect((await stat(path.join(root, ".env.container"))).mode & 0o777).toBe(0o600);
  expect((await textOf(root, ".gitignore")).split("\n")).toContain(".env.*");
});

test("a project that exists gets only these files, and keeps those that it has", async () => {
  const root = await emptyFolder();
  await put(root, { "cms.config.mjs": "export default {};\n", ".dockerignore": "mine", Dockerfile: "FROM mine\n" });
  const said = await cmsOutput(root, ["init", "--container"]);
  expect((await readdir(root)).toSorted()).toEqual(
    [".dockerignore", ".env.container", "Dockerfile", "cms.config.mjs", "compose.yaml"].toSorted(),
  );
  expect(await textOf(root, "Dockerfile")).toBe("FROM mine\n");
  expect(await textOf(root, ".dockerignore")).toMatch(/^mine\n\*\*\/node_modules\n/);
  expect(said).toContain("Dockerfile stays as it is");
  expect(said).toContain("docker compose --env-file .env.container up --build");
  const before = await textOf(root, ".env.container");
  await cmsOutput(root, ["init", "--container"]);
  expect(await textOf(root, ".env.container")).toBe(before);
});

test("the page shows the files that are written, and a unit that starts the same commands", async () => {
  const root = await committed();
  const blocks = await blocksOf("run/deployment.md");
  const shown = (language: string) => blocks.find((block) => block.language === language)?.text;
  expect(shown("dockerfile")).toBe(await textOf(root, "Dockerfile"));
  expect(shown("")).toBe(await textOf(root, ".dockerignore"));
  expect(shown("yaml")).toBe(await textOf(root, "compose.yaml"));
  const started = [...(shown("ini") ?? "").matchAll(/^ExecStart(?:Pre)?=\/usr\/bin\/(.*)$/gm)];
  const [, , script = ""] = z
    .array(z.string())
    .parse(JSON.parse(/^CMD (.*)$/m.exec(await textOf(root, "Dockerfile"))?.[1] ?? ""));
  expect(started.map(([, command]) => command).join(" && ")).toBe(script.replace("exec ", ""));
});
