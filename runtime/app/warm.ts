/** What a server that has just started does while nobody asks it, so that the first to ask need not wait for it. */
import { setImmediate } from "node:timers/promises";
import { system } from "../access/caller.ts";
import type { Services } from "../http/services.ts";
import type { ContentType } from "../schema/content-type.ts";

/** Queries with all that lists of documents have: what works them out is loaded, compiled and used once. */
const QUERIES = ["populate=*", "filters[id][$eq]=1&sort=id&pagination[pageSize]=1"];

/** As many types as leave nothing uncompiled; more would cost memory that few requests repay. */
const TYPES = 2;

const sizeOf = ({ attributes }: ContentType): number => Object.keys(attributes).length;

/** Those with the most attributes. */
const largest = ({ contentTypes }: Services["registry"]): readonly ContentType[] => {
  return Object.values(contentTypes)
    .map(({ type }) => type)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, TYPES);
};

type Asked = Pick<Services["database"], "kind" | "rows" | "snapshot">;

/** Statements that a request sends at once: each gets a connection of its own, which takes longer to open than to use. */
const AT_ONCE = 3;

/** Opens the connections that the first requests need. A database that cannot be asked now fails those who ask it. */
const connect = async (database: Asked): Promise<void> => {
  const asked = Array.from({ length: AT_ONCE }, () => database.rows("select 1"));
  await Promise.allSettled([database.snapshot?.(), ...asked]);
};

/**
 * Opens connections, and works out queries of a few content types as requests do, one after the other between other
 * work. Nothing of the content is read, and no code of the project runs. Never rejects.
 */
export const warm = async ({
  registry,
  queries,
  database,
}: Pick<Services, "registry" | "queries"> & { readonly database: Asked }): Promise<void> => {
  if (database.kind === "postgres") await connect(database);
  for (const type of largest(registry)) {
    for (const query of QUERIES) {
      await setImmediate();
      try {
        queries.prepare(system, type, query, { single: false, code: false });
      } catch {
        // The configuration may allow less. Whoever asks the like is told.
      }
    }
  }
};
