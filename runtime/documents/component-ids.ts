/** Ids for component entries, taken from the database's sequence in blocks. */
import type { Database, Session } from "../database/database.ts";
import { numberOf } from "../database/statements.ts";
import { nextComponentIds } from "./sql/document.ts";
import { send } from "./sql/statement.ts";

const BLOCK = 256;

const pools = new WeakMap<Database, number[]>();

/**
 * Takes `count` ids; the sequence is asked, through the transaction at hand, only when the block runs out. Ids of a
 * transaction that is rolled back are lost, never given twice.
 */
export const takeComponentIds = async (database: Database, session: Session, count: number): Promise<() => number> => {
  let pool = pools.get(database);
  if (!pool) pools.set(database, (pool = []));
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
};
