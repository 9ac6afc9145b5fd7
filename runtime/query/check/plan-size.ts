/** Limits how much one query may read, since a short query can ask for very many reads. */
import { ValidationError } from "../../base/errors.ts";
import type { Level, Populate } from "../query.ts";

/**
 * How many attributes a query may populate for each allowed read: most of them (components) are in the row already and
 * need no read.
 */
const BREADTH = 10;

/** Counts relations while a query is checked, when the number of reads is not known yet. */
export class PlanSize {
  readonly #limit: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Creates the counter of populated attributes (including components of zones) for a value of `rest.planSize`. */
  static ofBreadth(planSize: number): PlanSize {
    return new PlanSize(planSize * BREADTH);
  }

  get size(): number {
    return this.#size;
  }

  /** Counts one more; throws a 400 when there are too many. */
  grow(): void {
    this.#size += 1;
    if (this.#size > this.#limit) {
      throw new ValidationError(
        `Invalid query. It follows more than ${this.#limit} relations, media and components (rest.planSize)`,
      );
    }
  }
}

type Relation = Extract<Populate, { readonly kind: "relation" }>;

/** Relations in components that have equal keys share one read. */
const readKey = ({ target, level, status, cohort, filters, sort, window }: Relation): string =>
  JSON.stringify([target, level, status, cohort, filters, sort, window]);

/**
 * The number of reads that a level needs: one for each relation and media attribute, and those of the levels below.
 * Components and zones are in their row and need none; relations within them that have the same target and options
 * share one read.
 */
export const readsOf = (level: Level): number => {
  const shared = new Map<string, number>();
  let own = 0;
  const count = (populate: Populate, isInEntry: boolean): void => {
    switch (populate.kind) {
      case "relation": {
        const text = isInEntry ? readKey(populate) : undefined;
        if (text !== undefined && shared.has(text)) return;
        const reads = 1 + readsOf(populate.level);
        if (text === undefined) own += reads;
        else shared.set(text, reads);
        return;
      }
      case "morph":
        for (const each of populate.levels) own += 1 + readsOf(each);
        return;
      case "component":
        for (const each of populate.level.populate) count(each, true);
        return;
      case "zone":
        for (const { populate: inner } of populate.levels) for (const each of inner) count(each, true);
    }
  };
  for (const populate of level.populate) count(populate, false);
  return [...shared.values()].reduce((sum, reads) => sum + reads, own);
};
