/** Warms up a server that has just started, so that the first requests need not wait. */
import { setImmediate } from "node:timers/promises";
import { system } from "../access/caller.ts";
import type { Services } from "../http/context.ts";
import type { ContentType } from "../schema/content-type.ts";

/** Queries that use everything lists offer, so that the code behind them is loaded, compiled and run once. */
const QUERIES = ["populate=*", "filters[id][$eq]=1&sort=id&pagination[pageSize]=1"];

/** This many types are enough to compile everything; more would cost memory that few requests repay. */
const TYPES = 2;

const sizeOf = ({ attributes }: ContentType): number => Object.keys(attributes).length;

/** The types with the most attributes. */
const largest = ({ contentTypes }: Services["registry"]): readonly ContentType[] => {
  return Object.values(contentTypes)
    .map(({ type }) => type)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, TYPES);
};

type Asked = Pick<Services["database"], "kind" | "rows" | "snapshot">;

/** Statements that a request sends at once. Each needs a connection, which takes longer to open than to use. */
const AT_ONCE = 3;

/** Opens the connections that the first requests need. Ignores errors, since requests report those of their own. */
const connect = async (database: Asked): Promise<void> => {
  const asked = Array.from({ length: AT_ONCE }, () => database.rows("select 1"));
  await Promise.allSettled([database.snapshot?.(), ...asked]);
};

/**
 * Opens connections, and plans queries of a few content types as requests do, one after the other between other work.
 * It reads no content and runs no code of the project. Never rejects.
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
        // The configuration may forbid such queries; requests that use them get the error.
      }
    }
  }
};
