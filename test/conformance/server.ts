/** An application made of the corpus's schema files through our own commands, served on a free port. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../support/free-port.ts";
import { type AtEnd, cmsOutput, program, repository, serveBy } from "../support/processes.ts";
import { corpus, type Mode, permissions } from "./scenario.ts";
import type { Tokens } from "./session.ts";

/** The configuration of each mode, which nothing that is stored depends on. */
const configOf = (mode: Mode): string => {
  const rateLimit = mode === "ratelimit" ? "{ max: 10, intervalSeconds: 60 }" : "false";
  const format = mode === "entity" ? "entity" : "flat";
  return `import { defineConfig } from "galley-cms";

export default defineConfig({
  server: { home: "/admin", poweredBy: "Strapi <strapi.io>" },
  locales: { default: "en", codes: ["en", "fr", "de"] },
  rest: { defaultLimit: 25, maxLimit: 100, strictParams: false, drafts: "find" },
  graphql: { format: "${format}", depthLimit: 10, amountLimit: 100, csrfPrevention: "always", server: { suggestions: true } },
  media: { enforceAllowedTypes: false },
  auth: { rateLimit: ${rateLimit}, jwt: { mode: "legacy", expiresIn: "30d" }, register: { tellConfirmed: true } },
});
`;
};

const environment = {
  NODE_ENV: "production",
  DATABASE_EMBEDDED: "true",
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

export interface Served {
  readonly url: string;
  readonly tokens: Tokens;
}

/** A folder inside the repository, where generated code finds the package by its own name. */
const projectFolder = (atEnd: AtEnd): string => {
  const parent = path.join(repository, ".cms", "test");
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(path.join(parent, "corpus-"));
  atEnd(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  return root;
};

/** A project that is ready to be served, and its tokens. */
export interface Prepared {
  readonly root: string;
  readonly tokens: Tokens;
}

const generateFor = async (mode: Mode, root: string): Promise<void> => {
  writeFileSync(path.join(root, "cms.config.ts"), configOf(mode));
  await cmsOutput(root, ["generate", "--from", "content-types"], environment);
};

/** Generates, migrates and makes tokens. */
export const prepareCorpus = async (atEnd: AtEnd): Promise<Prepared> => {
  const root = projectFolder(atEnd);
  cpSync(path.join(corpus, "content-types"), path.join(root, "content-types"), { recursive: true });
  const { customToken, ...roles } = permissions;
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify(roles));
  const cms = (...args: readonly string[]): Promise<string> => cmsOutput(root, args, environment);
  await generateFor("default", root);
  await cms("migrate");
  await cms("permissions", "apply", "permissions.json");
  const token = (name: string, type: string, ...more: readonly string[]): Promise<string> =>
    cms("token", "create", "--name", name, "--type", type, ...more);
  const tokens = {
    full: await token("full", "full-access"),
    readonly: await token("readonly", "read-only"),
    custom: await token("custom", "custom", "--permissions", customToken.join(",")),
    expired: await token("expired", "read-only", "--expires-at", "2020-01-01T00:00:00.000Z"),
  };
  return { root, tokens };
};

/** Starts a server in a mode on a copy of the project, with a database of its own. */
export const serveCopy = async ({ root, tokens }: Prepared, mode: Mode, atEnd: AtEnd): Promise<Served> => {
  const copy = projectFolder(atEnd);
  cpSync(root, copy, { recursive: true });
  if (mode !== "default") await generateFor(mode, copy);
  const { url } = await serveBy(process.execPath, [program, "start"], copy, await freePort(), environment, atEnd);
  return { url, tokens };
};
