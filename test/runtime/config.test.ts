import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { parseConfig } from "../../runtime/config/parse.ts";
import { resolveSecrets } from "../../runtime/config/secrets.ts";

const folder = (files: Readonly<Record<string, string>> = {}): string => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-config-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return root;
};
const configFile = (text: string) => ({
  "cms.config.ts": `import { defineConfig } from "galley-cms";\n\nexport default defineConfig(${text});\n`,
});

test("without a file every key has its default", async () => {
  const config = await loadConfig(folder(), {});
  expect(config.server).toMatchObject({ port: 1337, bodySeconds: 30 });
  expect(config.rest).toMatchObject({ prefix: "/api", defaultLimit: 25, maxLimit: 100 });
  expect(config.auth).toMatchObject({ jwt: { mode: "refresh" }, rateLimit: { max: 10, intervalSeconds: 60 } });
});

test("a file with types is read, and the environment wins over it", async () => {
  const root = folder(configFile(`{ server: { port: 4000 as number, host: "127.0.0.1" } }`));
  expect((await loadConfig(root, {})).server).toMatchObject({ port: 4000, host: "127.0.0.1" });
  expect((await loadConfig(root, { PORT: "5000" })).server).toMatchObject({ port: 5000, host: "127.0.0.1" });
});

test("a file may be a function of the environment, to which .env belongs", async () => {
  const text = `(env) => ({ server: { url: env["SITE"] ?? "none" }, email: { from: env["FROM"] ?? "none" } })`;
  const root = folder({ ...configFile(text), ".env": "SITE=https://a.example\nFROM=a@a.example\n" });
  const { server, email } = await loadConfig(root, { FROM: "b@b.example" });
  expect({ url: server.url, from: email.from }).toEqual({ url: "https://a.example", from: "b@b.example" });
});

test("names of variables that projects already use work", async () => {
  const config = await loadConfig(folder(), {
    DATABASE_CLIENT: "postgres",
    DATABASE_HOST: "db.example",
    DATABASE_PORT: "5433",
    DATABASE_NAME: "content",
    DATABASE_USERNAME: "me",
    DATABASE_PASSWORD: "p@ss/word",
    JWT_SECRET: "a secret of the environment",
    API_TOKEN_SALT: "salt",
    STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE: "de",
    PUBLIC_URL: "https://cms.example",
  });
  expect(config.database.url).toBe("postgres://me:p%40ss%2Fword@db.example:5433/content");
  expect(config.auth).toMatchObject({ jwt: { secret: "a secret of the environment" }, tokenSalt: "salt" });
  expect(config.locales).toEqual({ default: "de", codes: ["en", "de"] });
  expect(config.server.url).toBe("https://cms.example");
});

test("a file .env stands in for the environment, which wins over it", async () => {
  const root = folder({ ".env": "PORT=6000\nHOST=127.0.0.2\n" });
  expect((await loadConfig(root, { HOST: "127.0.0.3" })).server).toMatchObject({ port: 6000, host: "127.0.0.3" });
});

test.each([
  ["{ sever: {} }", 'unknown key "sever". Did you mean "server"?'],
  ["{ rest: { maxLimt: 5 } }", 'unknown key "rest.maxLimt". Did you mean "maxLimit"?'],
  ["{ auth: { rateLimit: { mx: 1 } } }", 'unknown key "auth.rateLimit.mx". Did you mean "max"?'],
  ["{ server: { port: 99999 } }", "server.port"],
  ["{ auth: { jwt: { expiresIn: '30 days' } } }", "must be a number and s, m, h or d, such as 30d"],
  ["{ graphql: { depthLimt: 5 } }", 'unknown key "graphql.depthLimt". Did you mean "depthLimit"?'],
  ["{ graphql: { server: { plugin: [] } } }", 'unknown key "graphql.server.plugin". Did you mean "plugins"?'],
  ["{ graphql: { amountLimit: 0 } }", "graphql.amountLimit: Too small"],
  ["{ graphql: { amountLimit: 5, maxLimit: 5 } }", "graphql.maxLimit: is another name for amountLimit"],
  ["{ graphql: { endpoint: 'graphql' } }", 'graphql.endpoint: expected a path such as "/graphql"'],
  ["{ graphql: { landingPage: 'yes' } }", "graphql.landingPage: expected true, false or a function"],
  ["{ graphql: { format: 'v4' } }", 'graphql.format: Invalid option: expected one of "entity"|"flat"'],
  [
    "{ auth: { providers: { microsoft: { clientId: 'x', clientSecret: 'x' } } } }",
    "auth.providers: microsoft needs a tenant",
  ],
  [
    "{ auth: { providers: { microsoft: { clientId: 'x', clientSecret: 'x', tenant: 'common' } } } }",
    "auth.providers: microsoft needs a tenant",
  ],
  ["{ locales: { default: 'fr', codes: ['en'] } }", "locales.codes must contain locales.default"],
])("the configuration %s is refused, naming the file and the key", async (text, message) => {
  const root = folder({ "cms.config.ts": `export default ${text};\n` });
  const loading = loadConfig(root, {});
  await expect(loading).rejects.toThrow(message);
  await expect(loading).rejects.toThrow("cms.config.ts");
});

test("maxLimit stands for amountLimit, which is 100 without either", () => {
  expect(parseConfig({ graphql: { maxLimit: 7 } }, "cms.config.ts").graphql.amountLimit).toBe(7);
  expect(parseConfig({}, "cms.config.ts").graphql.amountLimit).toBe(100);
});

test("every unknown key is named at once", () => {
  expect(() => parseConfig({ sever: {}, rest: { prefx: "/x" } }, "cms.config.ts")).toThrow(
    /"rest\.prefx"[^]*"sever"|"sever"[^]*"rest\.prefx"/,
  );
});

test("a file finds what stands beside it, and asks the environment each time", async () => {
  const root = folder({
    "name.json": '{ "url": "https://cms.example" }',
    "names.cts": `const { readFileSync } = require("node:fs");
module.exports = { host: JSON.parse(readFileSync(__dirname + "/name.json", "utf8")).url };`,
    "cms.config.mts": `import { readFileSync } from "node:fs";
import names from "./names.cts";

const { url } = JSON.parse(readFileSync(new URL("./name.json", import.meta.url), "utf8"));
export default { server: { url, host: names.host, port: Number(process.env["WANTED_PORT"]) } };
`,
  });
  vi.stubEnv("WANTED_PORT", "4001");
  const url = "https://cms.example";
  expect((await loadConfig(root, {})).server).toMatchObject({ url, host: url, port: 4001 });
  vi.stubEnv("WANTED_PORT", "4002");
  expect((await loadConfig(root, {})).server).toMatchObject({ port: 4002 });

  // Bundles move with the folder.
  const moved = `${root} moved`;
  cpSync(root, moved, { recursive: true });
  onTestFinished(() => rmSync(moved, { recursive: true }));
  writeFileSync(path.join(moved, "name.json"), '{ "url": "https://moved.example" }');
  expect((await loadConfig(moved, {})).server.url).toBe("https://moved.example");
});

test("a change of what a file imports is noticed", async () => {
  const root = folder({
    "cms.config.ts": 'import { port } from "./port.ts";\nexport default { server: { port } };\n',
  });
  for (const port of [4001, 4002]) {
    writeFileSync(path.join(root, "port.ts"), `export const port: number = ${port};\n`);
    expect((await loadConfig(root, {})).server.port).toBe(port);
  }
});

test("a file that cannot be read is named with the reason and the place", async () => {
  const root = folder({ "cms.config.ts": "export default {" });
  await expect(loadConfig(root, {})).rejects.toThrow(/cms\.config\.ts could not be read[^]*cms\.config\.ts:1:16/);
});

test.each([
  ["PORT", "abc", "expected a whole number from 0 to 65535, such as 1337"],
  ["PORT", "70000", "expected a whole number from 0 to 65535, such as 1337"],
  ["DATABASE_POOL_MAX", "0", ""],
  ["STRAPI_LOG_LEVEL", "loud", ""],
])("a wrong value of %s is named, with what is expected: %s", async (name, value, expected) => {
  const load = loadConfig(folder(), { [name]: value });
  await expect(load).rejects.toThrow(`The environment variable ${name} is wrong: ${expected}`);
  await expect(load).rejects.toThrow(`got "${value}"`);
});

test("outside development a missing secret is refused by name, and nothing is made", async () => {
  const root = folder();
  const config = await loadConfig(root, { JWT_SECRET: "a secret, long enough" });
  expect(() => resolveSecrets(config, { root, production: true })).toThrow(
    /^API_TOKEN_SALT \(auth\.tokenSalt\) must be set outside development/,
  );
  expect(() => statSync(path.join(root, ".cms"))).toThrow("ENOENT");
});

test("outside development a secret that can be found by trying is refused, wherever it comes from", async () => {
  const root = folder(configFile(`{ auth: { tokenSalt: "fifteen letters" } }`));
  const long = "a secret, long enough";
  const resolve = async (environment: Readonly<Record<string, string>>) =>
    resolveSecrets(await loadConfig(root, environment), { root, production: true });
  await expect(resolve({ JWT_SECRET: "x", API_TOKEN_SALT: long })).rejects.toThrow(/^JWT_SECRET .* 16 characters/);
  await expect(resolve({ JWT_SECRET: long })).rejects.toThrow(/^API_TOKEN_SALT .* 16 characters/);
  await expect(resolve({ API_TOKEN_SALT: "x" })).rejects.toThrow(/^API_TOKEN_SALT .* 16 characters/);
  for (const poor of [" ".repeat(40), "changeme", "a".repeat(40), "abcd".repeat(8), `x${" ".repeat(20)}y`]) {
    await expect(resolve({ JWT_SECRET: poor, API_TOKEN_SALT: long })).rejects.toThrow(/^JWT_SECRET .* different/);
  }
});

test("in development secrets are made once, kept, and readable by the user alone", async () => {
  const root = folder();
  const config = await loadConfig(root, {});
  const made = resolveSecrets(config, { root, production: false });
  expect(made.jwt).toMatch(/^[0-9a-f]{64}$/);
  expect(made.tokenSalt).not.toBe(made.jwt);
  expect(resolveSecrets(config, { root, production: false })).toEqual(made);
  const file = path.join(root, ".cms", "secrets.json");
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(made);
});

test("a configured secret is used as it is", async () => {
  const root = folder();
  const config = await loadConfig(root, { JWT_SECRET: "a secret, long enough", API_TOKEN_SALT: "a salt, long enough" });
  expect(resolveSecrets(config, { root, production: true })).toEqual({
    jwt: "a secret, long enough",
    tokenSalt: "a salt, long enough",
  });
});

test.each(["/api", "/api/panel", "/graphql", "/uploads/write", "/_health", "/documentation"])(
  "the panel cannot be at %s, where something else is",
  (path) => {
    expect(() => parseConfig({ panel: { path } }, "cms.config.ts")).toThrow(
      /^cms.config.ts: panel.path: expected a path apart from "/,
    );
  },
);

test("the panel can be at any other path", () => {
  const config = parseConfig({ panel: { path: "/apis" }, rest: { prefix: "/content/api" } }, "cms.config.ts");
  expect(config.panel).toMatchObject({ path: "/apis" });
  expect(() => parseConfig({ panel: { path: "/content" }, rest: { prefix: "/content/api" } }, "x")).toThrow(
    "panel.path",
  );
});
