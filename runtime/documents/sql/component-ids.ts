/** Takes ids for component entries from the database's sequence, in blocks. */
import { sql } from "drizzle-orm";
import { type Bound, numberOf, send, statementOf } from "../../database/database.ts";
import { componentIds, documents } from "../../schema/columns.ts";
import type { ComponentIds } from "../context.ts";
import { value } from "./version.ts";

const BLOCK = 256;

/** Takes `count` ids for component entries from the sequence. */
export const nextComponentIds = (count: number): Bound => ({
  statement: statementOf(
    documents,
    "component ids",
    () =>
      sql`select nextval(${sql.raw(`'${componentIds.seqName ?? ""}'`)})::int from generate_series(1, ${value("count")}::int)`,
  ),
  values: { count },
});

/** Starts without a block: the first use queries the database. */
export const createComponentIds = (): ComponentIds => {
  const reserved: number[] = [];
  return {
    async assign(session, work) {
      for (;;) {
        let taken = 0;
        const result = work(() => reserved[taken++] ?? 0);
        if (taken <= reserved.length) {
          reserved.splice(0, taken);
          return result;
        }
        const rows = await send(session, nextComponentIds(Math.max(BLOCK, taken)));
        reserved.push(...rows.map(([id]) => numberOf(id)));
      }
    },
  };
};
