/** A server with users on a fresh database, and short ways to talk to it. */
import type { Hono } from "hono";
import { createApiToken } from "../../runtime/accounts/api-tokens.ts";
import type { Application } from "../../runtime/app/application.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { closeServices, createServices } from "../../runtime/app/start.ts";
import { createLogger } from "../../runtime/base/log.ts";
import type { Mail } from "../../runtime/base/mailer.ts";
import { type ConfigInput, configSchema } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import type { AppEnv, Services } from "../../runtime/http/context.ts";
import { createTables } from "./create-tables.ts";
import { type DatabaseKind, freshDatabase } from "./database.ts";
import { deferred } from "./deferred.ts";
import { secrets } from "./services.ts";
import { tables, usersApplication } from "./users-application.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or the text where it is not JSON. */
  readonly body: unknown;
  readonly text: string;
}

export interface AuthApp {
  readonly app: Hono<AppEnv>;
  readonly services: Services;
  readonly database: Database;
  readonly mails: readonly Mail[];
  /** Everything that was logged. */
  logged(): string;
  /** Resolves when the mail after those sent so far has been sent. */
  nextMail(): Promise<Mail>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the connection. */
  readonly address?: string;
}

interface Options {
  readonly config?: ConfigInput;
  readonly application?: Application;
  readonly kind?: DatabaseKind;
  /** A migrated database to use instead of a fresh one. */
  readonly database?: Database;
  /** The project's folder, for tests that upload. */
  readonly root?: string;
  readonly cleanup?: Parameters<typeof freshDatabase>[1];
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A fresh database with the tables of the application with users. */
export const usersDatabase = async (
  kind: DatabaseKind = "postgres",
  cleanup?: Parameters<typeof freshDatabase>[1],
): Promise<Database> => {
  const database = await freshDatabase(kind, cleanup);
  await createTables(database, tables);
  return database;
};

/** Builds the server. Rate limits are off and passwords are hashed quickly unless the configuration says otherwise. */
export const authApp = async ({
  config = {},
  application = usersApplication,
  kind,
  cleanup,
  root,
  ...given
}: Options = {}): Promise<AuthApp> => {
  const database = given.database ?? (await usersDatabase(kind, cleanup));
  const quick = { rounds: 4, ...config.auth?.passwords };
  const parsed = configSchema.parse({
    ...config,
    database: { lockSeconds: 120, ...config.database },
    auth: { rateLimit: false, ...config.auth, passwords: quick },
  });
  const lines: string[] = [];
  const mails: Mail[] = [];
  let arrival = deferred();
  const services = await createServices({
    config: parsed,
    database,
    application,
    secrets,
    ...(root === undefined ? {} : { root }),
    log: createLogger({ ...parsed.logger, level: "trace" }, { write: (line: string) => void lines.push(line) }),
    mailer: {
      async send(mail) {
        mails.push(mail);
        arrival.resolve();
        arrival = deferred();
      },
    },
  });
  cleanup?.(() => closeServices(services));
  const app = createHonoApp(services, application);
  return {
    app,
    services,
    database,
    mails,
    logged: () => lines.join(""),
    async nextMail() {
      const count = mails.length;
      await arrival.promise;
      const mail = mails[count];
      if (!mail) throw new Error("No mail was sent.");
      return mail;
    },
    async send(method, path, { body, token, headers = {}, address } = {}) {
      const incoming = { socket: { remoteAddress: address ?? "192.0.2.1" }, headers: {} };
      const answer = await app.request(
        path,
        {
          method,
          headers: {
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        { incoming },
      );
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: parse(text) };
    },
  };
};

/** A member of an answer, by its path. */
export const at = (body: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
      body,
    );

/** A text in an answer. */
export const textAt = (body: unknown, path: string): string => {
  const value = at(body, path);
  if (typeof value !== "string") throw new Error(`No text at ${path} of ${JSON.stringify(body)}`);
  return value;
};

export const password = "Passw0rd!";
/** What visitors send to register under a name. */
export const registration = (name: string) => ({ username: name, email: `${name}@example.test`, password });

/** A token that may do everything. */
export const administrator = async (app: AuthApp): Promise<string> => {
  const name = `administrator ${Math.random()}`;
  return createApiToken(app.database, secrets.tokenSalt, {
    name,
    type: "full-access",
    permissions: [],
    expiresAt: null,
  });
};
