import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { printSdl } from "../../generator/artifacts/graphql-schema.ts";
import { cms, cmsOutput, cmsProcess, emptyFolder, serve } from "../support/cms.ts";
import { goldenFolder } from "../support/golden.ts";
import { useServer } from "../support/project.ts";
import { sdlOf } from "../support/render-project.ts";
import { checkFormat } from "../support/workspace.ts";

const recorded = (["components", "drafts-and-locales", "morph-relations"] as const).flatMap((name) =>
  (["entity", "flat"] as const).map((format) => ({ name, format })),
);

const update = process.env["UPDATE_GOLDEN"] === "1" && !process.env["CI"];

test.each(recorded)("the $format schema of $name is the recorded one", async ({ name, format }) => {
  const file = path.join(goldenFolder(name), `schema.${format}.graphql`);
  const sdl = await sdlOf(goldenFolder(name), format);
  if (update) writeFileSync(file, sdl);
  expect(sdl).toBe(readFileSync(file, "utf8"));
});

test("the formatter finds nothing to change in schemas", async () => {
  const folder = await emptyFolder();
  for (const { name, format } of recorded) {
    cpSync(path.join(goldenFolder(name), `schema.${format}.graphql`), path.join(folder, `${name}.${format}.graphql`));
  }
  const { code, stdout, stderr } = await checkFormat(folder);
  expect({ code, report: `${stdout}${stderr}` }).toMatchObject({ code: 0 });
});

/** A project with an `app.ts`. */
const projectWith = async (app: string): Promise<string> => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder("media"), "content-types"), path.join(folder, "content-types"), { recursive: true });
  writeFileSync(path.join(folder, "content-types", "app.ts"), app);
  return folder;
};

const schemaIn = (folder: string): string => path.join(folder, "generated", "schema.graphql");

/** Takes values from generated code, which is not there before the first run. */
const app = `import { defineApp } from "galley-cms";
import { gallery } from "../generated/gallery/type.ts";
import { words } from "./words.ts";

export default defineApp({
  register({ graphql }) {
    graphql.shadowCRUD(gallery.uid).disableAction("delete").field("cover").disableInput();
    graphql.use({ typeDefs: \`extend type Query { \${words}: Int! }\` });
  },
});
`;

const words = (name: string): string => `export const words = "${name}";\n`;

const isIntrospection = (value: unknown): value is { readonly data: IntrospectionQuery } =>
  typeof value === "object" && value !== null && "data" in value;

const servedSchema = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const answer: unknown = await response.json();
  if (!isIntrospection(answer)) throw new Error(JSON.stringify(answer));
  return printSdl(buildClientSchema(answer.data));
};

test("schema.graphql is the schema that the server serves, with what app.ts does to it", async () => {
  const folder = await projectWith(app);
  writeFileSync(path.join(folder, "content-types", "words.ts"), words("countWords"));
  await cmsOutput(folder, ["generate"]);
  const sdl = readFileSync(schemaIn(folder), "utf8");
  expect(sdl).toContain("  countWords: Int!\n");
  expect(sdl).not.toContain("deleteGallery");
  await useServer(folder);
  await cmsOutput(folder, ["migrate"]);
  const { url } = await serve(folder);
  expect(sdl.replace(/^#.*\n\n/, "")).toBe(await servedSchema(url));
});

test("a change in code that app.ts imports changes the schema, and --check tells", async () => {
  const folder = await projectWith(app);
  writeFileSync(path.join(folder, "content-types", "words.ts"), words("countWords"));
  await cmsOutput(folder, ["generate"]);
  expect(await cmsProcess(folder, ["generate", "--check"])).toMatchObject({ code: 0 });
  writeFileSync(path.join(folder, "content-types", "words.ts"), words("wordCount"));
  const { code, stdout } = await cms(folder, ["generate", "--check"]);
  expect(code).toBe(1);
  expect(stdout).toContain("generated/schema.graphql: changed");
  expect(stdout).toContain("+  wordCount: Int!");
});

test("a schema that was edited by hand is refused", async () => {
  const folder = await projectWith(app);
  writeFileSync(path.join(folder, "content-types", "words.ts"), words("countWords"));
  await cmsOutput(folder, ["generate"]);
  writeFileSync(schemaIn(folder), `${readFileSync(schemaIn(folder), "utf8")}# mine\n`);
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toContain("generated/schema.graphql");
});

test.each([
  ["throws when it is loaded", 'throw new Error("no key");', /content-types\/app\.ts, .*fails to load: Error: no key/],
  ["does not parse", "export default {", /content-types\/app\.ts/],
  [
    "imports a package that is not installed",
    'import greet from "not-there/sub"; export default { register: () => greet() };',
    /content-types\/app\.ts, .*fails to load: the package "not-there" is not installed\. .*"npm install not-there"\.\n$/,
  ],
  [
    "asks for a policy that nobody registered",
    'export default { register({ graphql }) { graphql.use({ resolversConfig: { "Query.gallery": { policies: ["no"] } } }); } };',
    /^error No policy is registered as "no"\. Registered: none\.$/m,
  ],
  [
    "describes a field of an unknown type",
    'export default { register({ graphql }) { graphql.use({ typeDefs: "extend type Query { a: Nothing }" }); } };',
    /what app\.ts adds to the GraphQL schema is wrong: Unknown type "Nothing"/,
  ],
  [
    "has a hook that does not exist",
    "export default { hooks: { beforeCraete() {} } };",
    /app\.ts has the hook "beforeCraete", which does not exist\. Did you mean "beforeCreate"\?/,
  ],
  [
    "has a task whose schedule is none",
    'export default { tasks: { report: { schedule: "every day", run() {} } } };',
    /the task "report" of app\.ts has no schedule/,
  ],
  [
    "has a task in a time zone that there is not",
    'export default { tasks: { report: { schedule: "0 3 * * *", timeZone: "Mars/Phobos", run() {} } } };',
    /the task "report" of app\.ts has no schedule: .*Mars\/Phobos/,
  ],
  [
    "fails in register",
    'export default { register() { throw new Error("not today"); } };',
    /register of app\.ts failed: Error: not today\n(?!.*\.cms\b).*\/content-types\/app\.ts:1:/,
  ],
])("an app.ts that %s ends with 2, and nothing is written", async (_, text, message) => {
  const folder = await projectWith(text);
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(existsSync(path.join(folder, "generated"))).toBe(false);
});

const ruled = 'import { defineExtension } from "galley-cms";\nimport { can } from "galley-cms/rest";\n';

/** A project whose permissions name the action `checkout`, with a route for each action. */
const projectWithRoutes = async (actions: readonly string[]): Promise<string> => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder("media"), "content-types"), path.join(folder, "content-types"), { recursive: true });
  const routes = actions.map((action, index) => `router.get("/own/${index}", can("${action}"), (c) => c.text("x"));\n`);
  writeFileSync(
    path.join(folder, "content-types", "gallery", "extension.ts"),
    `${ruled}export default defineExtension({ routes(router) {\n${routes.join("")}} });\n`,
  );
  writeFileSync(
    path.join(folder, "cms.config.mjs"),
    'export default { permissions: { authenticated: ["api::shop.shop.checkout", "-api::shop.shop.checkin2"] } };',
  );
  return folder;
};

test("an action that a route asks for and that resembles a known one ends with 2, and nothing is written", async () => {
  const misspelt = {
    "api::shop.shop.chekout": "api::shop.shop.checkout",
    "api::shop.shop.checkuot": "api::shop.shop.checkout",
    "api::shop.shop.checkOut": "api::shop.shop.checkout",
    "api::galery.gallery.find": "api::gallery.gallery.find",
    "api::gallery.gallery.findone": "api::gallery.gallery.findOne",
    "api::gallery.gallery.fidn": "api::gallery.gallery.find",
    "api::gallery.gallery.creat": "api::gallery.gallery.create",
    "plugin::upload.content-api.uplaod": "plugin::upload.content-api.upload",
  };
  const folder = await projectWithRoutes(Object.keys(misspelt));
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  for (const [action, meant] of Object.entries(misspelt)) {
    expect(stderr).toContain(
      `A route in extension.ts of api::gallery.gallery asks for "${action}". Did you mean "${meant}"?`,
    );
  }
  expect(existsSync(path.join(folder, "generated"))).toBe(false);
});

test("an action of a route that only begins, ends or sounds like a known one is one of its own", async () => {
  const own = ["created", "creates", "deleteAll", "curate", "relate", "republish", "fund", "count", "findMany", "x"];
  const shop = ["checkout", "checkouts", "checkin", "checkin1", "checkin2", "check", "out"];
  const folder = await projectWithRoutes([
    ...own.map((action) => `api::gallery.gallery.${action}`),
    ...shop.map((action) => `api::shop.shop.${action}`),
    "api::shop.shop.find",
    "constructor",
    "",
  ]);
  expect(await cms(folder, ["generate"])).toMatchObject({ code: 0 });
});

test("a route of an extension that does not say who may use it ends with 2, and nothing is written", async () => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder("media"), "content-types"), path.join(folder, "content-types"), { recursive: true });
  const extension = (access: string): void =>
    writeFileSync(
      path.join(folder, "content-types", "gallery", "extension.ts"),
      `import { defineExtension } from "galley-cms";
import { authenticated, can, everyone } from "galley-cms/rest";
export const words = [authenticated, can, everyone];
export default defineExtension({ routes: (router) => void router.get("/latest", ${access}(c) => c.text("x")) });
`,
    );
  extension("");
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/extension\.ts of api::gallery\.gallery does not say who may use GET \/latest/);
  expect(existsSync(path.join(folder, "generated"))).toBe(false);
  for (const access of ['can("api::gallery.gallery.latest"), ', "authenticated(), ", "everyone(), "]) {
    extension(access);
    expect((await cms(folder, ["generate"])).code).toBe(0);
  }
});

test("where no file tells of the server there is none, and app.ts is not run", async () => {
  const folder = await projectWith('throw new Error("no key");');
  writeFileSync(
    path.join(folder, "cms.config.mjs"),
    "export default { graphql: { artifacts: false }, openapi: { artifact: false } };",
  );
  await cmsOutput(folder, ["generate"]);
  expect(existsSync(schemaIn(folder))).toBe(false);
});
