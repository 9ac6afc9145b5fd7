/** Takes ids for component entries from the database's sequence, in blocks. */
import { numberOf } from "../../database/column-values.ts";
import { send } from "../../database/statement.ts";
import type { ComponentIds } from "../context.ts";
import { nextComponentIds } from "./document.ts";

const BLOCK = 256;

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
