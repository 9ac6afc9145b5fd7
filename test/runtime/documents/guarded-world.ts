/** The example over a database to which a project has added triggers or constraints of its own. */
import application from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { type Answer, type AuthApp, authApp } from "../../support/auth-app.ts";
import { type DatabaseKind, freshDatabase } from "../../support/database.ts";
import { secrets } from "../../support/services.ts";

export interface Guarded extends AuthApp {
  /** Sends a request that may do everything. */
  ask(method: string, path: string, data?: object): Promise<Answer>;
  /** Sends a GraphQL operation that may do everything. */
  query(text: string): Promise<Answer>;
  /** All documents, versions and links. */
  stored(): Promise<unknown>;
}

const TABLES = ["documents", "articles", "articles_tags", "tags", "authors", "categories"];

const storedIn = (database: Database): Promise<unknown> =>
  Promise.all(
    TABLES.map((table) =>
      database.rows(`select coalesce(json_agg(row order by row::text), '[]')::text from ${table} as row`),
    ),
  );

const open = async (kind: DatabaseKind, sql: string): Promise<Guarded> => {
  const database = await freshDatabase(kind);
  await migrate(database, "generated/migrations");
  await database.script(sql);
  const config = { locales: { default: "en", codes: ["en", "de"] }, graphql: { format: "flat" as const } };
  const app = await authApp({ database, application, config });
  const token = await createApiToken(database, secrets.tokenSalt, {
    name: "full",
    type: "full-access",
    permissions: [],
    expiresAt: null,
  });
  return {
    ...app,
    ask: (method, path, data) => app.send(method, path, { token, ...(data ? { body: { data } } : {}) }),
    query: (text) => app.send("POST", "/graphql", { token, body: { query: text } }),
    stored: () => storedIn(database),
  };
};

/** Gives the server over such a database, which `sql` prepares; each kind of database is opened once. */
export const guarded = (sql: string): ((kind: DatabaseKind) => Promise<Guarded>) => {
  const opened = new Map<DatabaseKind, Promise<Guarded>>();
  return (kind) => {
    const known = opened.get(kind) ?? open(kind, sql);
    opened.set(kind, known);
    return known;
  };
};
