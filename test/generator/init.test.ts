/** `cms init`, and what `cms` says where it cannot even begin. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cms, cmsOutput, emptyFolder, run } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { program } from "../support/processes.ts";

const put = async (root: string, name: string, text: string): Promise<void> => {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), text);
};

test("init completes what a folder has, overwrites nothing, and says what it did", async () => {
  const root = await emptyFolder();
  await put(root, "package.json", '{\n  "scripts": {\n    "start": "mine"\n  }\n}\n');
  await put(root, ".gitignore", "/node_modules/\n.env");
  await put(root, "tsconfig.json", "{}\n");
  const said = await cmsOutput(root, ["init"]);
  const manifest: unknown = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    type: "module",
    scripts: { start: "mine", dev: "cms dev", generate: "cms generate", migrate: "cms migrate" },
    dependencies: { "drizzle-orm": expect.any(String), "galley-cms": expect.any(String), zod: expect.any(String) },
  });
  expect(await readFile(path.join(root, ".gitignore"), "utf8")).toBe(
    "/node_modules/\n.env\n/build\n.cms\n.env.*\n!.env.example\ntoken.txt\npublic/uploads\n",
  );
  expect(await readFile(path.join(root, "tsconfig.json"), "utf8")).toBe("{}\n");
  expect(said).toContain(
    '~ package.json: added "type": "module", script dev, script generate, script migrate, galley-cms ',
  );
  expect(said).toContain("~ .gitignore: added /build, .cms, .env.*, !.env.example, token.txt, public/uploads");
  expect(said).toContain("  tsconfig.json stays as it is");
  expect(said).toContain("+ content-types/article/schema.json");
});

test("a package of CommonJS stays one, and a second init is refused", async () => {
  const root = await emptyFolder();
  // As some editors on Windows write it.
  await put(root, "package.json", '\u{FEFF}{\r\n\t"name": "site",\r\n\t"main": "index.js"\r\n}\r\n');
  await cmsOutput(root, ["init"]);
  const completed = await readFile(path.join(root, "package.json"), "utf8");
  expect(completed.startsWith('\u{FEFF}{\r\n\t"name": "site",\r\n\t"main"')).toBe(true);
  expect(completed.replaceAll("\r\n", "")).not.toContain("\n");
  expect(Object.keys(JSON.parse(completed.slice(1)))).toEqual(["name", "main", "scripts", "dependencies"]);
  const again = await cms(root, ["init"]);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("already has cms.config.ts, content-types/article/schema.json. Nothing was written");
});

test("an old Node is told which one is needed", async () => {
  const root = await emptyFolder();
  const old =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.4'}})";
  const { code, stderr } = await run(process.execPath, ["--import", old, program, "--version"], { cwd: root });
  expect(stderr).toBe("error cms needs Node 20.19.0 or newer, and this is Node 18.20.4: https://nodejs.org\n");
  expect(code).toBe(2);
});

test("what code of the project throws is no fault of galley-cms", async () => {
  const root = await emptyFolder();
  await cmsOutput(root, ["init"]);
  const config = `import { defineConfig } from "galley-cms";

const provider = {
  get name(): string {
    throw new TypeError("no name today");
  },
};

export default defineConfig({ media: { provider } as never });
`;
  await put(root, "cms.config.ts", config);
  const { code, stderr } = await cms(root, ["generate"]);
  expect(stderr).toContain("no name today");
  expect(stderr).toMatch(/cms\.config\.ts:\d+/);
  expect(stderr).not.toContain("fault of galley-cms");
  expect(code).toBe(2);
});

test("a configuration that imports a package that is not installed names it, and the command that installs it", async () => {
  const root = await emptyFolder();
  await put(root, "cms.config.ts", 'import name from "not-there";\nexport default { name };\n');
  const { code, stderr } = await cms(root, ["generate"]);
  expect(stderr).toMatch(/cms\.config\.ts could not be read: the package "not-there" is not installed\. /);
  expect(stderr).toContain('"npm install not-there"');
  expect(code).toBe(2);
});

test("a build without a package that the code imports names it, and the command that installs it", async () => {
  const root = await emptyFolder();
  await cmsOutput(root, ["init"]);
  const dependency = path.join(root, "node_modules/@scope/there");
  await put(
    dependency,
    "package.json",
    '{ "name": "@scope/there", "version": "1.0.0", "type": "module", "main": "index.js" }',
  );
  await put(dependency, "index.js", "export const register = () => {};\n");
  await put(root, "content-types/app.ts", 'import { register } from "@scope/there";\nexport default { register };\n');
  await cmsOutput(root, ["generate"]);
  await rm(dependency, { recursive: true });
  const { code, stderr } = await cms(root, ["build"]);
  expect(stderr).toContain("content-types/app.ts:1");
  expect(stderr).toContain('the package "@scope/there" is not installed');
  expect(stderr).not.toContain("external");
  expect(code).toBe(2);
});

test("a database that cannot be reached is named with what to do", async () => {
  const root = await emptyFolder();
  await cmsOutput(root, ["init"]);
  await cmsOutput(root, ["generate"]);
  const missing = new URL(await freshPostgresUrl(onTestFinished));
  missing.pathname = "/not_there";
  const stranger = new URL(missing);
  stranger.username = "not_there";
  const unreachable = [
    [`postgres://127.0.0.1:${await freePort()}/x`, "No server listens there: start PostgreSQL"],
    [missing.href, 'database "not_there" does not exist. Create the database'],
    [stranger.href, "Correct the user"],
    ["postgres://not-there.invalid/x", "host"],
  ] as const;
  for (const [url, remedy] of unreachable) {
    const { code, stderr } = await cms(root, ["migrate"], { DATABASE_URL: url });
    expect(stderr).toContain(`error the database ${new URL(url).host}`);
    expect(stderr.split(" cannot be used: ")[1]).toContain(remedy);
    expect(code).toBe(2);
  }
});
