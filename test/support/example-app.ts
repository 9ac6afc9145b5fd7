/** The example of this repository on a fresh database, with callers who may do what a test says, and ways to ask it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import example from "../../generated/index.ts";
import { createApiToken } from "../../runtime/accounts/api-tokens.ts";
import {
  applyPermissions,
  type DeclaredPermissions,
  planPermissions,
} from "../../runtime/accounts/roles/permission-plan.ts";
import type { Application } from "../../runtime/app/application.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { type Answer, type AuthApp, authApp } from "./auth-app.ts";
import { freshDatabase } from "./database.ts";
import { type Part, form } from "./media-app.ts";
import { secrets } from "./services.ts";

type Cleanup = (work: () => Promise<void>) => void;

export interface ExampleApp extends AuthApp {
  /** A token that may do these actions, and with no list everything. */
  token(...actions: readonly string[]): Promise<string>;
  /** Lets the public do these actions, besides what it may by default. */
  allowPublic(...actions: readonly string[]): Promise<void>;
  /** The same for users. */
  allowUsers(...actions: readonly string[]): Promise<void>;
  upload(parts: readonly Part[], token?: string): Promise<Answer>;
  /** Sends an operation, with files where there are some, by the place that they go to. */
  graphql(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly token?: string; readonly files?: Readonly<Record<string, File>> },
  ): Promise<Answer>;
}

/** A database with the tables of the example. */
export const exampleDatabase = async (cleanup?: Cleanup): Promise<Database> => {
  const database = await freshDatabase("postgres", cleanup);
  await migrate(database, "generated/migrations");
  return database;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
};

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

let tokens = 0;

/** Serves the example from `database`, or another application with its types. */
export const exampleApp = async (
  cleanup: Cleanup,
  database: Database,
  config: ConfigInput = {},
  application: Application = example,
): Promise<ExampleApp> => {
  const root = await mkdtemp(join(tmpdir(), "galley-example-"));
  cleanup(() => rm(root, { recursive: true, force: true }));
  const app = await authApp({ database, application, config, cleanup, root });
  const { roles } = app.services.auth;
  const allow = (declared: DeclaredPermissions) =>
    applyPermissions(
      database,
      roles,
      planPermissions(declared, roles.all(), grantableActions(application, app.services.config)),
    );
  return {
    ...app,
    token: (...permissions) => {
      tokens += 1;
      const type = permissions.length === 0 ? "full-access" : "custom";
      const token = { name: `token ${tokens}`, type, permissions, expiresAt: null } as const;
      return createApiToken(database, secrets.tokenSalt, token);
    },
    allowPublic: (...actions) => allow({ public: actions }),
    allowUsers: (...actions) => allow({ authenticated: actions }),
    async upload(parts, token) {
      const request = { method: "POST", headers: bearer(token), body: form(...parts) };
      return answerOf(await app.app.request("/api/upload", request));
    },
    async graphql(query, variables = {}, { token, files = {} } = {}) {
      const names = Object.keys(files);
      if (names.length === 0) {
        return app.send("POST", "/graphql", { body: { query, variables }, ...(token ? { token } : {}) });
      }
      const body = new FormData();
      body.append("operations", JSON.stringify({ query, variables }));
      body.append("map", JSON.stringify(Object.fromEntries(names.map((place, index) => [index, [place]]))));
      Object.values(files).forEach((file, index) => body.append(String(index), file));
      const headers = { ...bearer(token), "Apollo-Require-Preflight": "true" };
      return answerOf(await app.app.request("/graphql", { method: "POST", headers, body }));
    },
  };
};
