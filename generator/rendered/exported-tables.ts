/** The tables that a bundle of rendered code exports. */
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";

const NAME = /^tables\d+$/;

/**
 * What `exportTables` made a bundle export. A table that is exported again takes the place of the runtime's own: it may
 * have more indexes.
 */
export const tablesOf = (bundle: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const exported = Object.entries(bundle).flatMap(([name, module]): readonly unknown[] =>
    NAME.test(name) && typeof module === "object" && module !== null ? Object.values(module) : [],
  );
  return [...new Map(exported.map((each) => [is(each, PgTable) ? getTableName(each) : each, each])).values()];
};
