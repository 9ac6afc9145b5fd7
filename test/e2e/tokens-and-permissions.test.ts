import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { program } from "../support/processes.ts";
import { projectOnServer } from "../support/project.ts";

const find = "api::article.article.find";

test("tokens are created, listed and revoked, and the secret alone is printed", async () => {
  const root = await projectOnServer();
  const secret = await cmsOutput(root, ["token", "create", "--name", "site"]);
  expect(secret).toMatch(/^[0-9a-f]{256}$/);
  await cmsOutput(root, ["token", "create", "--name", "one", "--type", "custom", "--permissions", find]);
  const listed = await cmsOutput(root, ["token", "list"]);
  expect(listed).toMatch(/^one\tcustom: api::article\.article\.find\tnever expires\tnever used$/m);
  expect(listed).toMatch(/^site\tread-only\t/m);
  expect(listed).not.toContain(secret.slice(0, 20));
  await cmsOutput(root, ["token", "revoke", "one"]);
  expect(await cmsOutput(root, ["token", "list"])).not.toContain("one");
});

test("a secret that goes into a file that git would take is told", async () => {
  const root = await projectOnServer();
  const inFile = (name: string, file: string) =>
    promisify(execFile)("sh", ["-c", `"$0" "$1" token create --name ${name} > ${file}`, process.execPath, program], {
      cwd: root,
    });
  await promisify(execFile)("git", ["init", "--quiet"], { cwd: root });
  await writeFile(path.join(root, ".gitignore"), ".cms\nkept-out.txt\n");
  expect((await inFile("one", "token.txt")).stderr).toContain("token.txt, which git does not ignore");
  expect((await inFile("two", "kept-out.txt")).stderr).not.toContain("git");
  await promisify(execFile)("git", ["init", "--quiet", ".cms/other"], { cwd: root });
  expect((await inFile("three", ".cms/other/token.txt")).stderr).toContain("token.txt, which git does not ignore");
  expect(await readFile(path.join(root, "token.txt"), "utf8")).toMatch(/^[0-9a-f]{256}\n$/);
});

test("the first start makes two tokens that nobody can use until they are given a secret", async () => {
  const root = await projectOnServer();
  expect(await cmsOutput(root, ["token", "list"])).toBe("There are no tokens.");
  const started = await serve(root);
  await started.stop();
  expect(started.output.stdout + started.output.stderr).not.toMatch(/[0-9a-f]{64}/);
  const list = "Full Access\tfull-access\tnever expires\tnever used\nRead Only\tread-only\tnever expires\tnever used";
  expect(await cmsOutput(root, ["token", "list"])).toBe(list);
  const first = await cmsOutput(root, ["token", "regenerate", "Read Only"]);
  const second = await cmsOutput(root, ["token", "regenerate", "Read Only"]);
  await cmsOutput(root, ["token", "revoke", "Full Access"]);

  const { url } = await serve(root);
  const status = async (secret: string) =>
    (await fetch(`${url}/api/articles`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  expect([await status(first), await status(second)]).toEqual([401, 200]);
});

test("a revoked default token does not come back, and own tokens keep the default ones away", async () => {
  const root = await projectOnServer();
  await cmsOutput(root, ["token", "create", "--name", "own"]);
  for (let start = 1; start <= 2; start++) await (await serve(root)).stop();
  expect(await cmsOutput(root, ["token", "list"])).toMatch(/^own\t[^\n]*$/);
});

test("a token that makes no sense is refused with what is wrong, and nothing is printed", async () => {
  const root = await projectOnServer();
  const refused: readonly (readonly [readonly string[], string])[] = [
    [["create", "--name", "x", "--type", "custom"], "--type custom needs --permissions"],
    [["create", "--name", "x", "--permissions", find], "--permissions is for --type custom"],
    [
      ["create", "--name", "x", "--type", "custom", "--permissions", "api::article.article.fnd"],
      `There is no action "api::article.article.fnd". Did you mean "${find}"?`,
    ],
    [["create", "--name", "x", "--expires-at", "soon"], "use ISO 8601"],
    [["create", "--name", "x", "--type", "total"], "Allowed choices are read-only, full-access, custom"],
    [["revoke", "nobody"], 'There is no token "nobody".'],
  ];
  for (const [args, message] of refused) {
    const { code, stdout, stderr } = await cms(root, ["token", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
  }
});

test("permissions are shown, compared and applied from a file, and the server keeps to them", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "permissions.json"), JSON.stringify({ public: [find] }));
  expect(await cmsOutput(root, ["permissions", "diff", "permissions.json"])).toBe(`public\n  + ${find}`);
  await cmsOutput(root, ["permissions", "apply", "permissions.json"]);
  expect(await cmsOutput(root, ["permissions", "list"])).toContain(find);
  expect(await cmsOutput(root, ["permissions", "diff", "permissions.json"])).toBe("Nothing would change.");
  const { url } = await serve(root);
  expect((await fetch(`${url}/api/articles`)).status).toBe(200);
  expect((await fetch(`${url}/api/articles/x`)).status).toBe(403);
});

test("permissions stand in the configuration where no file is named", async () => {
  const root = await projectOnServer();
  const config = `import { defineConfig } from "galley-cms";\n\nexport default defineConfig({ permissions: { public: ["${find}"] } });\n`;
  await writeFile(path.join(root, "cms.config.ts"), config);
  await cmsOutput(root, ["permissions", "apply"]);
  expect(await cmsOutput(root, ["permissions", "list"])).toContain(find);
});

test("a file of permissions that makes no sense is refused, and so is a server without secrets", async () => {
  const root = await projectOnServer();
  const refused: readonly (readonly [string, string])[] = [
    ["{", "must be JSON such as"],
    ['{"public":["api::article.article.fnd"]}', `Did you mean "${find}"?`],
    ['{"publik":[]}', 'There is no role "publik". Did you mean "public"?'],
  ];
  for (const [text, message] of refused) {
    await writeFile(path.join(root, "permissions.json"), text);
    const { code, stderr } = await cms(root, ["permissions", "apply", "permissions.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  }
  const { code, stderr } = await cms(root, ["start", "--port", "0"], { NODE_ENV: "production", JWT_SECRET: "" });
  expect(code).toBe(2);
  expect(stderr).toContain("JWT_SECRET (auth.jwt.secret) and API_TOKEN_SALT (auth.tokenSalt) must be set");
});

test("why a role may do something is explained: with which documents and attributes, and where that stands", async () => {
  const root = await projectOnServer();
  const config = `import { can, defineConfig } from "galley-cms";

export default defineConfig({
  fields: { authenticated: { "api::article.article": { read: ["title"], write: [] } } },
  permissions: {
    authenticated: ["${find}", can("api::article.article.update", { where: ({ user }) => ({ id: user.id }) })],
  },
});
`;
  await writeFile(path.join(root, "cms.config.ts"), config);
  const explain = (role: string, action: string, type = "article") =>
    cms(root, ["permissions", "explain", type, "--role", role, "--action", action]);
  expect((await explain("authenticated", "update")).stdout).toBe(
    `authenticated: api::article.article.update
  not allowed yet: declared, but not applied (cms permissions apply)  (cms.config.ts:6)
  for documents that meet ({ user }) => ({ id: user.id })
  reads title
  writes nothing
`,
  );
  await cmsOutput(root, ["permissions", "apply"]);
  expect((await explain("authenticated", "update")).stdout).toContain("allowed, as declared  (cms.config.ts:6)");
  expect((await explain("public", "find")).stdout).toContain(
    "not allowed\n  for all documents\n  reads and writes all attributes that are not private\n",
  );
  expect(await explain("pubic", "find")).toMatchObject({ code: 2, stderr: expect.stringContaining('"public"?') });
  expect(await explain("public", "fnd")).toMatchObject({ code: 2, stderr: expect.stringContaining('"find"?') });
  expect(await explain("public", "find", "artcle")).toMatchObject({ stderr: expect.stringContaining('"article"?') });
});
