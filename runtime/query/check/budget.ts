/** Limits on everything that one request asks for, reads and receives, since a short query can cause much work. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Level, Populate, QueryPath } from "../query.ts";
import { refuse } from "./position.ts";

export type Limits = Omit<Config["limits"], "bodyMembers" | "componentEntries" | "bodyErrors">;

/** The limits for queries from application code. */
export const UNLIMITED: Limits = {
  sortSteps: Infinity,
  filterSteps: Infinity,
  queryCost: Infinity,
  populateSteps: Infinity,
  conditions: Infinity,
  listValues: Infinity,
  rows: Infinity,
  answerSize: Infinity,
};

/** What is limited in number over all queries of a request together. */
const COUNTED = {
  comparisons: { limit: "conditions", reason: "It has more than {most} conditions" },
  groups: { limit: "conditions", reason: "It has more than {most} conditions" },
  sortKeys: { limit: "conditions", reason: "It has more than {most} keys" },
  listValues: { limit: "listValues", reason: "It lists more than {most} values" },
  /** Each to-many relation in a sort key multiplies the rows to examine. */
  sortSteps: { limit: "sortSteps", reason: "Its keys lead through more than {most} to-many relations in all" },
  filterSteps: { limit: "filterSteps", reason: "It leads through more than {most} to-many relations in all" },
} as const;

/** The number of paths of maximum length that the filters of a query may have. */
const LONGEST_PATHS = 10;

/**
 * How many attributes a query may populate for each allowed read: most of them (components) are in the row already and
 * need no read.
 */
const BREADTH = 10;

/** Counts relations while a query is checked, when the number of reads is still unknown. */
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
 * Components and zones are in their row and need none; relations within them with the same target and options share one
 * read.
 */
const readsOf = (level: Level): number => {
  const shared = new Map<string, number>();
  const count = (populate: Populate, isInEntry: boolean): number => {
    switch (populate.kind) {
      case "relation": {
        const reads = 1 + readsOf(populate.level);
        if (isInEntry) shared.set(readKey(populate), reads);
        return isInEntry ? 0 : reads;
      }
      case "morph":
        return populate.levels.reduce((sum, each) => sum + 1 + readsOf(each), 0);
      case "component":
        return countAll(populate.level.populate, true);
      case "zone":
        return populate.levels.reduce((sum, each) => sum + countAll(each.populate, true), 0);
    }
  };
  const countAll = (populates: readonly Populate[], isInEntry: boolean): number =>
    populates.reduce((sum, populate) => sum + count(populate, isInEntry), 0);
  const own = countAll(level.populate, false);
  return [...shared.values()].reduce((sum, reads) => sum + reads, own);
};

/** The budget of a request. A GraphQL operation consists of several queries, which share one. */
export class Budget {
  readonly limits: Limits;
  /** Counts the relations and components that filters and sorts look into. */
  readonly joins: PlanSize;
  /** Counts the populated attributes. */
  readonly breadth: PlanSize;
  /** The to-many relation that a filter or sort followed last. */
  followed: QueryPath | undefined;
  readonly #planSize: number;
  readonly #counts = { comparisons: 0, groups: 0, sortKeys: 0, listValues: 0, sortSteps: 0, filterSteps: 0 };
  #refusal: ValidationError | undefined;
  #queries = 0;
  #reads = 0;
  #rows = 0;

  constructor(
    { rest: { planSize }, limits: configured }: Pick<Config, "rest" | "limits">,
    limits: Limits = configured,
  ) {
    this.limits = limits;
    this.joins = new PlanSize(planSize);
    this.breadth = PlanSize.ofBreadth(planSize);
    this.#planSize = planSize;
  }

  /**
   * Counts parts of filters and sorts, even if the same part occurred before.
   *
   * @throws ValidationError naming the place, when there are too many of them
   */
  count(what: keyof typeof COUNTED, place: QueryPath, number = 1): void {
    const { limit, reason } = COUNTED[what];
    const most = this.limits[limit] * (what === "filterSteps" ? LONGEST_PATHS : 1);
    if (what === "sortSteps" || what === "filterSteps") this.followed = { param: place.param, path: place.path };
    this.#counts[what] += number;
    if (this.#counts[what] > most) refuse(place, reason.replace("{most}", String(most)), `limits.${limit}`);
  }

  /**
   * The position behind the to-many relation at `at`. Limits how many a path of a filter or populate follows.
   *
   * @throws ValidationError naming the place
   */
  behindMany<At extends QueryPath>(at: At, limit: "filterSteps" | "populateSteps"): At {
    const steps = (at.steps ?? 0) + 1;
    const most = this.limits[limit];
    if (steps > most) refuse(at, `It leads through more than ${most} to-many relations`, `limits.${limit}`);
    return { ...at, steps };
  }

  /**
   * Stops the request from spending time on further queries once one of them needed more reads than were left.
   *
   * @throws ValidationError the error of that query
   */
  assertNotExceeded(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * Counts the reads of a checked query. The first query of a request is free; each further one counts as a read
   * itself.
   *
   * @throws ValidationError when the whole request needs more reads than `rest.planSize` allows
   */
  query(level: Level): void {
    this.#queries += 1;
    this.#reads += readsOf(level);
    const size = this.#reads + this.joins.size + this.#queries - 1;
    if (size <= this.#planSize) return;
    const what =
      this.#queries === 1 ? "It reads" : `With the ${this.#queries - 1} before it in this operation it reads`;
    throw (this.#refusal = new ValidationError(
      `Invalid query. ${what} ${size} relations and media, and may read ${this.#planSize} (rest.planSize)`,
    ));
  }

  /**
   * Counts the rows that were read.
   *
   * @throws ValidationError when the request has read more rows than `limits.rows` allows
   */
  rows(count: number): void {
    this.#rows += count;
    if (this.#rows <= this.limits.rows) return;
    throw new ValidationError(
      `Invalid query. What it asks for has more than ${this.limits.rows} rows (limits.rows). Ask for fewer entries, or populate less`,
    );
  }
}
