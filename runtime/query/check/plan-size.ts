/** How much one query may read: a short text must not ask for endless work, whatever it is wrapped in. */
import { ValidationError } from "../../base/errors.ts";
import type { Level, Populate } from "../query.ts";

/** Attributes that a query may name, or have expanded, for each that it may read: most stand in the row already. */
const BREADTH = 10;

/** Counts while a query is read, before it is known what that costs. */
export class PlanSize {
  readonly #limit: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What counts everything that a query populates, components of zones among them, under `rest.planSize`. */
  static ofBreadth(planSize: number): PlanSize {
    return new PlanSize(planSize * BREADTH);
  }

  get size(): number {
    return this.#size;
  }

  /** Counts one more; too many are a 400. */
  grow(): void {
    this.#size += 1;
    if (this.#size > this.#limit) {
      throw new ValidationError(`Invalid query. It follows more than ${this.#limit} relations, media and components`);
    }
  }
}

type Relation = Extract<Populate, { readonly kind: "relation" }>;

/** Attributes with equal texts are read together where they stand in components. */
const readKey = ({ target, level, status, cohort, filters, sort, window }: Relation): string =>
  JSON.stringify([target, level, status, cohort, filters, sort, window]);

/**
 * How many reads a level leads to: one for each relation and medium, and those below it. Components and zones stand in
 * their row and cost none; what several of them lead to with the same options is read at once.
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
