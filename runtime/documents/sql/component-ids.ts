/** Takes ids for component entries from the database's sequence, in blocks. */
import { sql } from "drizzle-orm";
import { numberOf } from "../../database/column-values.ts";
import { type Bound, send, statementOf } from "../../database/statement.ts";
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
  const pool: number[] = [];
  return {
    async take(session, count) {
      if (pool.length < count) {
        const rows = await send(session, nextComponentIds(Math.max(BLOCK, count)));
        pool.push(...rows.map(([id]) => numberOf(id)));
      }
      const ids = pool.splice(0, count);
      return () => {
        const id = ids.shift();
        if (id === undefined) throw new Error("More component entries than ids were taken for");
        return id;
      };
    },
  };
};

/**
 * The same ids, but the first use reserves `ahead` of them: a write of many documents needs one query for all its
 * entries.
 */
export const takingAhead = (ids: ComponentIds, ahead: () => number): ComponentIds => {
  let left = 0;
  let next: (() => number) | undefined;
  return {
    async take(session, count) {
      if (next === undefined || left < count) {
        left = Math.max(ahead(), count);
        next = await ids.take(session, left);
      }
      left -= count;
      return next;
    },
  };
};
