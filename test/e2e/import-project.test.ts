/** `cms import` of a Strapi project's folder: types, settings, starters, and a list of what is left to do. */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder, repository } from "../support/cms.ts";
import { crowdedProject } from "../support/strapi-projects/crowded.ts";
import { projectOfFive } from "../support/strapi-projects/five.ts";
import { projectOfFour } from "../support/strapi-projects/four.ts";
import { writeFiles } from "../support/workspace.ts";

const strapiProject = async (files: Iterable<readonly [string, string]>): Promise<string> => {
  const folder = await emptyFolder();
  writeFiles(folder, files);
  return folder;
};

const read = (root: string, file: string): Promise<string> => readFile(path.join(root, file), "utf8");

/** The lines that say what was written. */
const writes = (stdout: string): string[] => stdout.split("\n").filter((line) => /^[+~!] /.test(line));

test("everything that is not taken over is on the list, with its place and what there is for it", async () => {
  const old = await strapiProject(projectOfFive);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  const list = await read(root, "IMPORT.md");
  const folded = [...list.matchAll(/<details>.*?<\/details>/gs)].join("\n");
  for (const [what, place] of [
    ["beforeCreate of api::article.article", "src/api/article/content-types/article/lifecycles.ts:4"],
    ["afterUpdate of api::article.article", "src/api/article/content-types/article/lifecycles.ts:9"],
    ["afterFindMany of api::article.article", "src/api/article/content-types/article/lifecycles.ts:12"],
    ["strapi.db.lifecycles.subscribe", "src/index.ts:10"],
    ["strapi.documents.use", "src/index.ts:5"],
    ["find of api::article.article", "src/api/article/controllers/article.ts:4"],
    ["archive of api::article.article", "src/api/article/controllers/article.ts:12"],
    ["archive of api::article.article", "src/api/article/services/article.ts:4"],
    ["api::article.is-owner", "src/api/article/policies/is-owner.ts:1"],
    ["global::is-awake", "src/policies/is-awake.ts:1"],
    ["api::article.populate", "src/api/article/middlewares/populate.ts:1"],
    ["global::timer", "src/middlewares/timer.ts:1"],
    ["global::timer is switched on", "config/middlewares.ts:5"],
    ["only of the routes of api::article.article", "src/api/article/routes/article.ts:4"],
    ["auth: false", "src/api/article/routes/article.ts:6"],
    ["policies: is-owner, global::is-awake", "src/api/article/routes/article.ts:7"],
    ["GET /articles/archive", "src/api/article/routes/custom.ts:3"],
    ["cleanUp", "config/cron-tasks.ts:2"],
    ["odd", "config/cron-tasks.ts:7"],
    ["strapi.query", "src/index.ts:9"],
    ["extensionService.use", "src/index.ts:4"],
    ["strapi-plugin-populate-deep", "package.json:1"],
    ["settings of maps", "config/plugins.ts:25"],
    ["plugin.controllers.user.me", "src/extensions/users-permissions/strapi-server.ts:2"],
    ["plugin::maps.place", "src/api/article/content-types/article/schema.json:1"],
    ["strapi.customFields.register", "src/index.ts:6"],
    ["strapi::cors.headers", "config/middlewares.ts:3"],
    ["apolloServer.tracing", "config/plugins.ts:2"],
    ["server: url, proxy", "config/env/production/server.ts:1"],
    ["locales", "src:1"],
    ["preview.enabled", "config/admin.ts:1"],
    ["theme", "src/admin/app.tsx:1"],
    ["names", "database/migrations/2024.01.01T00.00.00.names.js:1"],
    ["dates", "src/utils/dates.ts:1"],
    ["scripts/", "scripts:1"],
    ["patches/", "patches/@strapi+strapi+5.54.0.patch:1"],
    ["downloads/list.pdf", "public/downloads/list.pdf:1"],
  ] as const) {
    const [file = "", line = ""] = place.split(":");
    const lines = list
      .split("\n")
      .filter((each) => each.startsWith("- [ ] ") && each.includes(`\`${file}:`) && each.includes(`:${line}\``));
    // What needs one decision, such as the hooks of a file, is one line: `find, create of api::article.article`.
    const [name = "", owner = ""] = what.split(/(?= of )/);
    expect(
      lines.some((each) => each.includes(name) && each.includes(owner)),
      `${place}: ${lines.join("\n")}`,
    ).toBe(true);
    if (list.includes(`\`${place}\``))
      expect(stdout.includes(`  ${place} `), place).toBe(!folded.includes(`\`${place}\``));
  }
  expect(list).toMatch(/^\*\*\d+ need a decision; \d+ more are folded\*\*/m);
  expect(list).toMatch(/^\| \[Controllers\]\(#controllers\) \| \d+ \| 0 \|$/m);
  const pages = new Set(
    [...list.matchAll(/\]\(node_modules\/galley-cms\/(docs\/[^)#]+)/g)].map(([, page]) => page ?? ""),
  );
  expect(pages.size).toBeGreaterThan(4);
  for (const page of pages) expect(await read(repository, page), page).toMatch(/^# /);
  expect(list).toContain("[extensions.md](node_modules/galley-cms/docs/build/extensions.md#hooks)");
  expect(list).not.toContain("controllers/author.ts");
  // Beside each starter stands what it was.
  const extension = await read(root, "content-types/article/extension.ts");
  expect(extension).toContain("//     data.slug = slugify(data.title);");
  expect(extension).toContain('find: { populate: { author: true, sections: { populate: "*" } } },');
  expect(await read(root, "content-types/app.ts")).toContain(
    'schedule: "0 0 1 * * 1",\n      timeZone: "Europe/Berlin",',
  );
  expect(await read(root, "lib/policies/articleIsOwner.ts")).toContain("//   export default (ctx) => ctx.state.user");
});

test("code in unusual places is listed with what it is for, and files that only gather others are not", async () => {
  const old = await strapiProject(crowdedProject);
  const root = await emptyFolder();
  await cmsOutput(root, ["import", old]);
  const list = (await read(root, "IMPORT.md")).split("\n").filter((line) => line.startsWith("- [ ] "));
  for (const [what, place] of [
    ["all of it is commented out", "src/api/note/content-types/note/lifecycles.js:1"],
    ["afterCreate of plugin::users-permissions.user, admin::user", "src/index.js:10"],
    ["bootstrap: `warm();`", "src/index.js:5"],
    ["if `process.env.NODE_ENV === 'production'`", "src/index.js:5"],
    ["if not `process.env.NODE_ENV === 'production'`", "src/index.js:7"],
    ["when the file is loaded: `metrics.start();`", "src/metrics.js:2"],
    ["ping of api::task.task", "src/api/task/services/task.js:3"],
    ["the generated route answers without it", "src/api/task/controllers/task.js:3"],
    ["an action of its own needs its route", "src/api/health/controllers/health.js:1"],
    ["POST /auth/logout", "src/extensions/users-permissions/strapi-server.js:3"],
    ["afterUpdate of `strapi.contentType('plugin::shop.data').lifecycles`", "src/plugins/shop/server/register.js:2"],
    ["the content type data of shop", "src/plugins/shop/server/content-types/data/schema.json:1"],
    ["its settings: `config/plugins.js:2`", "package.json:1"],
    ["users-permissions.config.jwtSecret", "config/plugins.js:3"],
    ["nightly", "config/server.js:4"],
    ["runs only if `env.bool('CRON', false)`", "config/server.js:4"],
    ["has no effect in Strapi either: a core router takes no routes", "src/api/task/routes/task.js:1"],
  ] as const)
    expect(list.filter((line) => line.includes(`\`${place}\``)).join("\n"), place).toContain(what);
  const text = list.join("\n");
  for (const noise of ["services/index.js", "tsconfig.json", "full_documentation", "empty.js", "shop/package.json"])
    expect(text).not.toContain(noise);
  // Lists that are put together from constants are read.
  expect(await read(root, "cms.config.ts")).toContain('["https://a.example", "https://b.example"]');
});

test("routes of a project and policies that stand on generated ones are begun", async () => {
  const old = await strapiProject(crowdedProject);
  const root = await emptyFolder();
  await cmsOutput(root, ["import", old]);
  const task = await read(root, "content-types/task/extension.ts");
  expect(task).toContain('router.get("/tasks/late", can("api::task.task.late"), (c) =>');
  expect(task).toContain('router.post("/tasks/open", everyone(), (c) =>');
  expect(task).not.toContain('(.*)", ');
  // What the project guarded stays so, and no starter stands before a generated route.
  const note = await read(root, "content-types/note/extension.ts");
  expect(note).toContain("find: [noteIsMine],");
  expect(note).not.toContain("router");
  expect(await read(root, "content-types/app.ts")).toContain("bootstrap({ services }) {");
});

test("a second run changes nothing, keeps what was edited and ticked, and says so", async () => {
  const old = await strapiProject(projectOfFive);
  const root = await emptyFolder();
  const dry = await cms(root, ["import", old, "--dry-run"]);
  expect(writes(dry.stdout)).toContain("+ cms.config.ts");
  await expect(read(root, "cms.config.ts")).rejects.toThrow("ENOENT");
  await cmsOutput(root, ["import", old]);
  expect(writes((await cms(root, ["import", old])).stdout)).toEqual([]);

  const list = (await read(root, "IMPORT.md")).replace("- [ ] find of", "- [x] find of");
  await writeFile(path.join(root, "IMPORT.md"), list);
  await writeFile(path.join(root, "content-types/app.ts"), "// mine\n");
  const kept = await cms(root, ["import", old]);
  expect(writes(kept.stdout)).toEqual([]);
  expect(kept.stdout).toContain("content-types/app.ts was edited here and stays");

  // The project goes on, too.
  writeFiles(old, [
    ["config/cron-tasks.ts", "\n\nexport default { later: { task() {}, options: { rule: '0 1 * * *' } } };\n"],
    ["src/utils/more.ts", "export const more = 1;\n"],
  ]);
  const both = await cms(root, ["import", old]);
  expect(writes(both.stdout)).toEqual([
    "! content-types/app.ts was edited here and stays; what it would be: .cms/import/content-types/app.ts",
    "~ IMPORT.md",
  ]);
  expect(await read(root, "content-types/app.ts")).toBe("// mine\n");
  expect(await read(root, ".cms/import/content-types/app.ts")).toContain("later: {");
  expect(await read(root, "IMPORT.md")).toContain("- [x] find of");
  expect(await read(root, "IMPORT.md")).toContain("- [ ] more");
  await cmsOutput(root, ["import", old, "--force"]);
  expect(await read(root, "content-types/app.ts")).toContain("later: {");
});

test("a project of version 4 keeps its uids, and secrets stay where they are", async () => {
  const old = await strapiProject(projectOfFour);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  const config = await read(root, "cms.config.ts");
  expect(config).toContain("maxLimit: 50, // config/api.json:1 rest.maxLimit");
  expect(config).toContain("strictParams: true,");
  expect(config).toContain('secret: env["OLD_SECRET"], // config/plugins.js:2 config.jwtSecret');
  expect(config).toContain("rateLimit: false,");
  expect(await read(root, "content-types/app.ts")).toContain('schedule: "0 1 * * *"');
  for (const text of [stdout, config, await read(root, "IMPORT.md")]) expect(text).not.toContain("SG.secret");
  await cmsOutput(root, ["generate"]);
  expect(await read(root, "generated/post/rest.ts")).toContain("api::blog.post.find");
});

test("what is broken or hostile is told, and nothing outside of the folder is read", async () => {
  const secret = await strapiProject([["secret.js", "module.exports = { rest: { prefix: '/stolen' } };"]]);
  const old = await strapiProject([
    ["package.json", '{ "dependencies": { "@strapi/strapi": "5.1.0" } }'],
    [
      "src/api/a/content-types/a/schema.json",
      '{ "kind": "collectionType", "info": { "singularName": "a", "pluralName": "as", "displayName": "A" }, "attributes": { "__proto__": { "type": "string" }, "b": { "type": "string" } } }',
    ],
    ["src/api/a/controllers/a.js", "module.exports = { find( {"],
    ["src/api/a/services/a.js", `// ${"x".repeat(2_100_000)}\nmodule.exports = { a() {} };`],
    ["src/api/a/policies/\u001b[31mred.js", "module.exports = () => true;"],
    [
      "src/api/a/content-types/a/lifecycles.js",
      "throw new Error('run');\nmodule.exports = { beforeCreate({ params: { data } }) { data.b = '*/ ${1} `'; \u2028 process.exit(); } };",
    ],
    [
      "config/plugins.js",
      "require('fs').writeFileSync('ran', ''); const a = b, b = a; module.exports = { __proto__: { enabled: true }, upload: { config: { breakpoints: { __proto__: 5, 'x\\u2028\\n\"': 6 } } }, email: a };",
    ],
    ["config/middlewares.js", "module.exports = ['strapi::cors', ...require('./middlewares')];"],
    ["config/server.js", "const c = require('./server'); module.exports = { cron: c, port: 80 };"],
  ]);
  await mkdir(path.join(old, "config"), { recursive: true });
  await symlink(path.join(secret, "secret.js"), path.join(old, "config/api.js"));
  await symlink(secret, path.join(old, "src/api/out"));
  const root = await emptyFolder();
  const { code, stdout, stderr } = await cms(root, ["import", old]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("config/api.js:1 config/api.js: is a link, which is not followed");
  expect(stdout).toContain("src/api/out:1 src/api/out: is a link, which is not followed");
  expect(stdout).toContain("src/api/a/controllers/a.js:1 controller a: ");
  expect(stdout).toContain("src/api/a/services/a.js:1 service a: it is too large to be read");
  expect(stdout).not.toContain("\u001b[31m");
  expect(await read(root, "cms.config.ts")).not.toContain("stolen");
  await expect(read(process.cwd(), "ran")).rejects.toThrow("ENOENT");
  expect((await cms(root, ["generate"])).stderr).not.toContain("bug");
});

test("what is no project of version 4 or 5 is refused, and so is the project's own folder", async () => {
  const old = await strapiProject(projectOfFour);
  expect(await cms(old, ["import", "."])).toMatchObject({ code: 2 });
  const three = await strapiProject([
    ["package.json", '{ "dependencies": { "strapi": "3.6.8" } }'],
    ["config/server.js", ""],
  ]);
  const root = await emptyFolder();
  const refused = await cms(root, ["import", three]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("Strapi 3");
});
