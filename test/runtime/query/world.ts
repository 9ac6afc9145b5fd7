/** The small content model in a database, with the reader over it. */
import { expect } from "vitest";
import { type Caller, system } from "../../../runtime/access/caller.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import {
  createQueries,
  jsonList,
  objectsOf,
  parseQuery,
  type ReadContext,
  readMany,
  readOne,
  type RowSet,
} from "../../../runtime/query/index.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { application } from "./content.ts";
import { createTables } from "./tables.ts";

/** Everything but the vaults. */
export const reader: Caller = { kind: "token", can: (action) => !action.startsWith("api::vault.") };

export interface World {
  readonly database: Database;
  context(caller?: Caller, config?: ConfigInput["rest"]): ReadContext;
  /** A page as parsed JSON. */
  many(type: ContentType, query: string, caller?: Caller): Promise<readonly Item[]>;
  one(type: ContentType, documentId: string, query?: string, caller?: Caller): Promise<Item | null>;
  total(type: ContentType, query: string, caller?: Caller): Promise<number | undefined>;
}

export type Item = Readonly<Record<string, unknown>>;

/** What the REST API writes of rows; code is given the same. */
export const itemsOf = (documents: RowSet): Item[] => {
  const items: Item[] = JSON.parse(jsonList(documents));
  expect(objectsOf(documents)).toStrictEqual(items);
  return items;
};

export const createWorld = async (database: Database): Promise<World> => {
  await createTables(database);
  return worldOver(database);
};

/** The same over a database that has the tables. */
export const worldOver = (database: Database): World => {
  const registry = createRegistry(application);
  const context = (caller: Caller = reader, rest: ConfigInput["rest"] = {}): ReadContext => {
    const limits = { sortSteps: 9 };
    const search = { zoneFilters: true };
    const config = configSchema.parse({ locales: { default: "en", codes: ["en", "fr"] }, rest, limits, search });
    return { services: { config, database, queries: createQueries(registry, config, "a secret") }, caller };
  };
  const standard = context();
  const by = (caller?: Caller): ReadContext => (caller === undefined ? standard : { ...standard, caller });
  return {
    database,
    context,
    many: async (type, query, caller) => itemsOf((await readMany(by(caller), type, parseQuery(query))).documents),
    one: async (type, documentId, query = "", caller) => {
      const document = await readOne(by(caller), type, documentId, parseQuery(query));
      return (document && itemsOf(document)[0]) ?? null;
    },
    total: async (type, query, caller) => (await readMany(by(caller), type, parseQuery(query))).pagination.total,
  };
};

export { system };
