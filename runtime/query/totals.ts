/** Caches the totals of lists until something is committed. */
import { SnapshotCache } from "../database/snapshot-cache.ts";
import type { DatabaseSnapshot } from "../database/snapshots.ts";
import type { Bindings, Statement } from "./sql/compile.ts";

/** Most bytes of memory. */
const SIZE = 8_000_000;
/** Bytes that a total takes beside its key. */
const TOTAL = 100;
/** Queries with longer filter values are counted every time. */
const LONGEST = 2000;

interface Total {
  readonly total: number;
}

export class Totals {
  readonly #cache: SnapshotCache<Total>;

  constructor(snapshot: () => Promise<DatabaseSnapshot | undefined>) {
    this.#cache = new SnapshotCache({ snapshot, size: SIZE, weigh: () => TOTAL });
  }

  get hits(): number {
    return this.#cache.hits;
  }

  /**
   * The number of rows that a statement counts. The key is what it sends, so that lists that differ only in pages, sorts,
   * fields or populates share the total.
   *
   * @param count counts the rows
   * @param known the snapshot of the database, if it was already asked for
   */
  async of(
    statement: Pick<Statement, "text" | "values">,
    bindings: Bindings,
    count: () => Promise<number>,
    known?: DatabaseSnapshot,
  ): Promise<number> {
    const values = JSON.stringify(statement.values(bindings));
    if (values.length > LONGEST) return count();
    const key = `${statement.text} ${values}`;
    const { total } = await this.#cache.recall(key, async () => ({ total: await count() }), known);
    return total;
  }
}
