/** Settings of a Strapi project, as `cms import` reads them from its code. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder } from "../support/cms.ts";
import { projectOfFive } from "../support/strapi-projects/five.ts";
import { writeFiles } from "../support/workspace.ts";

const strapiProject = async (files: Iterable<readonly [string, string]>): Promise<string> => {
  const folder = await emptyFolder();
  writeFiles(folder, files);
  return folder;
};

const read = (root: string, file: string): Promise<string> => readFile(path.join(root, file), "utf8");

test("settings say where they come from, and what had no limit gets one that is said", async () => {
  const old = await strapiProject(projectOfFive);
  const root = await emptyFolder();
  await cmsOutput(root, ["import", old]);
  const config = await read(root, "cms.config.ts");
  for (const line of [
    'url: "https://cms.example.com", // config/server.ts:6 url',
    'origins: ["https://a.example", env["FRONT"] ?? "https://b.example"], // config/middlewares.ts:3 origin',
    "bodyLimit: 2097152, // config/middlewares.ts:4 jsonLimit",
    "arrayLimit: 300, // config/middlewares.ts:7 arrayLimit",
    'prefix: "/content", // config/api.ts:5 rest.prefix',
    "maxLimit: 250, // config/api.ts:7 rest.maxLimit",
    'privateAttributes: ["createdAt"], // config/api.ts:10 responses.privateAttributes',
    "strictParams: false, // as Strapi does unless it is told otherwise",
    'drafts: "find", // as Strapi does',
    "strictRelations: false, // as Strapi does unless it is told otherwise",
    'format: "flat", // the schema of version 5',
    "depthLimit: 100, // Strapi had no limit",
    "amountLimit: 1_000_000, // Strapi had no limit",
    "sizeLimit: 10485760, // config/plugins.ts:13 config.sizeLimit",
    "formats: { large: 1200, small: 400 }, // config/plugins.ts:14 config.breakpoints",
    'provider: env["AWS_BUCKET"] ? "s3" : "local",',
    'expiresIn: "7d", // config/plugins.ts:17 config.jwt.expiresIn',
    'from: "hello@example.com",',
  ])
    expect(config).toContain(line);
});

test("what only running would tell is on the list, and functions that can return one thing are followed", async () => {
  const old = await strapiProject([
    ["package.json", '{ "dependencies": { "@strapi/strapi": "^4.20.0" } }'],
    ["src/extensions/users-permissions/content-types/user/schema.json", '{ "attributes": {} }'],
    [
      "config/plugins.js",
      `const { mail } = require('./plugins/mail');
const bucket = (env) => {
  if (env('BUCKET')) { return { provider: 'aws-s3' }; }
  return undefined;
};
module.exports = ({ env }) => {
  const files = bucket(env);
  return {
    upload: { config: files ?? { sizeLimit: 5 } },
    email: mail(env),
    sentry: { enabled: true, config: {} },
    'users-permissions': bucket(env) ?? fromElsewhere(env),
  };
};
`,
    ],
    [
      "config/plugins/mail.js",
      "exports.mail = (env) => ({ provider: 'nodemailer', config: { settings: { defaultFrom: env('FROM') || 'a@a.example' } } });\n",
    ],
    ["config/server.json", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ]);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  const config = await read(root, "cms.config.ts");
  expect(config).toContain('from: env["FROM"] ?? "a@a.example",');
  expect(config).toContain('format: "v4", // requests and answers of version 4');
  expect(stdout).toContain("config/plugins.js:9 upload.config: cannot be read without running it");
  expect(await read(root, "IMPORT.md")).toContain(
    "email.provider: `config/plugins/mail.js:1`, had no effect in Strapi",
  );
  expect(stdout).toContain("config/plugins.js:12 users-permissions: cannot be read without running it");
  expect(stdout).toContain("config/plugins.js:11 settings of sentry");
  expect(stdout).toContain("config/server.json:1 config/server: could not be read without running it");
  expect(stdout).toContain("list those that visitors may set in auth.register.allowedFields");
});

const plugins = `import { s3, mail } from "./helpers";
const limits = { depth: 12 };
export default ({ env }) => {
  const plugins: Record<string, any> = {};
  if (env("S3_BUCKET")) plugins.upload = s3(env, env("S3_BUCKET"));
  else {
    plugins.upload = { config: { provider: "local", sizeLimit: 1024 } };
  }
  plugins["users-permissions"] = { config: { jwtSecret: env("JWT_SECRET"), jwt: { expiresIn: "3d" } } };
  plugins.graphql = { config: { endpoint: "/gql", amountLimit: env("NODE_ENV") === "production" ? 50 : 500 } };
  if (process.env.LIMITED === "yes") {
    plugins.graphql.config.depthLimit = limits.depth;
  }
  if (env.bool("MAIL")) Object.assign(plugins, { email: mail(env) });
  for (const name of ["a", "b"]) plugins[name] = { enabled: true };
  register(plugins);
  console.log(plugins);
  return { ...plugins, ...(env("SENTRY") ? { sentry: { enabled: true } } : {}), ...extra() };
};
`;

const helpers = `export const s3 = (env, bucket) => {
  const config: any = { provider: "aws-s3", providerOptions: { s3Options: { params: {} } } };
  config.providerOptions.s3Options.params.Bucket = bucket;
  config.providerOptions.s3Options.region = env("REGION", "eu-central-1");
  return { config };
};
export function mail(env) {
  if (env("SMTP")) return { config: { provider: "nodemailer", settings: { defaultFrom: "a@a.example" } } };
  return { config: { provider: "sendmail" } };
}
`;

const api = `const rest: any = { defaultLimit: 20 };
rest.maxLimit = process.env.BIG ? 1000 : 100;
export default { rest };
`;

test("settings that code builds step by step are read, with their conditions, and what cannot be read is a line", async () => {
  const old = await strapiProject([
    ["package.json", '{ "dependencies": { "@strapi/strapi": "^5.20.0", "@strapi/plugin-graphql": "5.20.0" } }'],
    ["config/plugins.ts", plugins],
    ["config/helpers.ts", helpers],
    ["config/api.ts", api],
  ]);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  const config = await read(root, "cms.config.ts");
  for (const line of [
    'provider: env["S3_BUCKET"] ? "s3" : "local",',
    'region: env["REGION"] ?? "eu-central-1", // config/helpers.ts:4 config.providerOptions.s3Options.region, if env("S3_BUCKET")',
    'expiresIn: "3d", // config/plugins.ts:9',
    'depthLimit: 12, // config/plugins.ts:12 config.depthLimit, if process.env.LIMITED === "yes"; otherwise not set',
    'amountLimit: env["NODE_ENV"] === "production" ? 50 : 500, // config/plugins.ts:10',
    'maxLimit: env["BIG"] ? 1000 : 100, // config/api.ts:2',
    'from: "a@a.example", // config/helpers.ts:8',
  ])
    expect(config).toContain(line);
  for (const line of [
    'config/plugins.ts:12 graphql.config.depthLimit: was set only if `process.env.LIMITED === "yes"`; in cms.config.ts it is set always',
    'config/plugins.ts:15 config/plugins `for (const name of ["a", "b"]) plugins[name] = { enabled: true };`: cannot be read without running it',
    "config/plugins.ts:16 config/plugins `register(plugins);`: cannot be read without running it",
    "config/plugins.ts:18 config/plugins `...extra()`: cannot be read without running it",
    "config/plugins.ts:18 settings of sentry",
  ])
    expect(stdout).toContain(line);
  expect(stdout).not.toContain("console");
});

test("what `cms generate` refuses is the first group of the list, and locales of the configuration come along", async () => {
  const attributes = {
    at: { type: "datetime", default: "soon" },
    to: { type: "relation", relation: "oneToOne", target: "api::b.b" },
  };
  const schema = {
    kind: "collectionType",
    collectionName: "as",
    info: { singularName: "a", pluralName: "as", displayName: "A" },
  };
  const old = await strapiProject([
    ["package.json", '{ "dependencies": { "@strapi/strapi": "^5.20.0" } }'],
    ["src/api/a/content-types/a/schema.json", JSON.stringify({ ...schema, attributes }, undefined, 2)],
    ["src/components/shared/broken.json", "{ no"],
    ["config/plugins.js", "module.exports = { i18n: { config: { defaultLocale: 'de', locales: ['en', 'de'] } } };\n"],
    ["config/server.js", "module.exports = { port: 80800 };\n"],
  ]);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  expect(stdout).toMatch(/need a decision:\nFaults that stop cms generate \(4\)\n/);
  const list = await read(root, "IMPORT.md");
  expect(list).toMatch(/^- \[ \] CMS\d+: .*"at" must be an instant.*: `content-types\/a\/schema\.json:\d+`$/m);
  expect(list).toMatch(/^- \[ \] CMS\d+: .*api::b\.b/m);
  expect(list).toMatch(/^- \[ \] cms\.config\.ts: .*server\.port.*: `cms\.config\.ts:1`$/m);
  expect(list).toMatch(/^- \[ \] CMS\d+: .*`content-types\/components\/shared\/broken\.json:1`$/m);
  expect(await read(root, "cms.config.ts")).toContain('codes: ["de", "en"],');
});

test("headers are one line, statements are told whole, and what only helps middlewares needs no decision", async () => {
  const directives = "{ 'img-src': ['x'], 'media-src': ['y'] }";
  const old = await strapiProject([
    ["package.json", '{ "dependencies": { "@strapi/strapi": "^5.20.0" } }'],
    [
      "config/middlewares.js",
      `module.exports = [{ name: 'strapi::security', config: { contentSecurityPolicy: { directives: ${directives} } } }];\n`,
    ],
    [
      "src/index.js",
      "module.exports = { register({ strapi }) {\n  strapi\n    .plugin('maps')\n    .service('index').go();\n  if (strapi.off) {\n    return;\n  }\n} };\n",
    ],
    ["src/middlewares/timer/index.js", "module.exports = () => async (ctx, next) => next();\n"],
    ["src/middlewares/helpers/names.js", "exports.nameOf = (x) => x.name;\n"],
  ]);
  const root = await emptyFolder();
  const { stdout } = await cms(root, ["import", old]);
  expect(stdout).toMatch(/\n2 of them need a decision:\nMiddlewares \(1\)\n {2}src\/middlewares\/timer\/index\.js:1 /);
  expect(stdout).toContain("register: `strapi .plugin('maps') .service('index').go();`");
  const list = await read(root, "IMPORT.md");
  expect(list.match(/strapi::security/g)).toHaveLength(1);
  expect(list).toContain("src/middlewares/helpers/names.js:1");
});
