/** Articles of the read engine's tests, asked for in both formats. */
import type { Caller } from "../../../runtime/access/caller.ts";
import type { Database } from "../../../runtime/database/database.ts";
import type { SchemaExtension, SchemaExtensionFunction } from "../../../runtime/graphql/extension/service.ts";
import { freshDatabase } from "../../support/database.ts";
import { seed } from "../query/seed.ts";
import { createTables } from "../query/tables.ts";
import { type GraphqlConfig, serve } from "./world.ts";

export type Format = NonNullable<GraphqlConfig["format"]>;

export const formats: readonly Format[] = ["flat", "entity"];

/** A database with the content of the read engine's tests, closed after the test file. */
export const seededDatabase = async (): Promise<Database> => {
  const database = await freshDatabase("postgres");
  await createTables(database);
  await seed(database);
  return database;
};

export const nobody: Caller = { kind: "public", can: () => false };

/** Serves the content of the read engine's tests with one extension. */
export const serveWith = (
  database: Database,
  extension: SchemaExtension | SchemaExtensionFunction,
  format: Format,
  caller?: Caller,
) =>
  serve({
    database,
    graphql: { format },
    app: { register: ({ graphql }) => void graphql.use(extension) },
    ...(caller ? { caller } : {}),
  });

/** `articles { … }` of the flat format, in the words of both. */
export const articles = (format: Format, fields: string, args = ""): string =>
  format === "flat" ? `{ articles${args} { ${fields} } }` : `{ articles${args} { data { attributes { ${fields} } } } }`;

/** The documents of an answer to {@link articles}, or what stands in their place. */
export const documentsOf = (format: Format, body: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const { articles } = (body as { data: { articles: unknown } }).data;
  if (format === "flat") return articles as never;
  return (articles as { data: readonly { attributes: never }[] }).data.map(({ attributes }) => attributes);
};
