/** An application made of the corpus's schema files through our own commands, served on a free port. */
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { atEndOfTest, cmsOutput, serve } from "../support/cms.ts";
import { workspace } from "../support/workspace.ts";
import { corpus, permissions } from "./scenario.ts";
import type { Tokens } from "./session.ts";

const config = (rateLimit: string, format: string): string => `import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "fr", "de"] },
  rest: { defaultLimit: 25, maxLimit: 100, strictParams: false, drafts: "find" },
  graphql: { format: "${format}", depthLimit: 10, amountLimit: 100 },
  media: { enforceAllowedTypes: false },
  auth: { rateLimit: ${rateLimit}, jwt: { mode: "legacy", expiresIn: "30d" } },
});
`;

const environment = {
  NODE_ENV: "production",
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

export interface Served {
  readonly url: string;
  readonly tokens: Tokens;
}

/**
 * How the server is configured: `ratelimit` has limits on logging in, which the others would run into; `entity` has the
 * entity format of GraphQL.
 */
export type Mode = "default" | "ratelimit" | "entity";

/** Generates, migrates, makes tokens and starts. Everything ends with the running test. */
export const serveCorpus = async (mode: Mode = "default", atEnd = atEndOfTest): Promise<Served> => {
  const root = workspace(undefined, atEnd);
  cpSync(path.join(corpus, "content-types"), path.join(root, "content-types"), { recursive: true });
  writeFileSync(
    path.join(root, "cms.config.ts"),
    config(mode === "ratelimit" ? "{ max: 10, intervalSeconds: 60 }" : "false", mode === "entity" ? "entity" : "flat"),
  );
  const { customToken, ...roles } = permissions;
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify(roles));
  const cms = (...args: readonly string[]): Promise<string> => cmsOutput(root, args, environment);
  await cms("generate", "--from", "content-types");
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
  const { url } = await serve(root, environment, { atEnd });
  return { url, tokens };
};
