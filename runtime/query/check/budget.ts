/** What one request may ask for and read: an operation of GraphQL is several queries, and a few words of each. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Level } from "../query.ts";
import { PlanSize, readsOf } from "./plan-size.ts";
import { type Limits, QuerySize } from "./query-size.ts";

export class Budget {
  /** Counts what filters and sorts are made of. */
  readonly size: QuerySize;
  /** Counts relations and components that filters and sorts look into. */
  readonly joins: PlanSize;
  /** Counts the attributes that are populated. */
  readonly breadth: PlanSize;
  readonly #planSize: number;
  readonly #rows: number;
  #queries = 0;
  #reads = 0;
  #read = 0;

  constructor(
    { rest: { planSize }, limits: configured }: Pick<Config, "rest" | "limits">,
    limits: Limits = configured,
  ) {
    this.size = new QuerySize(limits);
    this.joins = new PlanSize(planSize);
    this.breadth = PlanSize.ofBreadth(planSize);
    this.#planSize = planSize;
    this.#rows = limits.rows;
  }

  /**
   * Counts what a checked query reads. The first one is there in any case; each further one of the request costs a read
   * of its own.
   *
   * @throws ValidationError when all together is more than `rest.planSize` allows
   */
  query(level: Level): void {
    this.#queries += 1;
    this.#reads += readsOf(level);
    const size = this.#reads + this.joins.size + this.#queries - 1;
    if (size <= this.#planSize) return;
    const what =
      this.#queries === 1 ? "It reads" : `With the ${this.#queries - 1} before it in this operation it reads`;
    throw new ValidationError(
      `Invalid query. ${what} ${size} relations and media, and may read ${this.#planSize} (rest.planSize)`,
    );
  }

  /**
   * Counts rows that were read.
   *
   * @throws ValidationError when they are more than `limits.rows` allows
   */
  rows(count: number): void {
    this.#read += count;
    if (this.#read <= this.#rows) return;
    throw new ValidationError(
      `Invalid query. What it asks for has more than ${this.#rows} rows (limits.rows). Ask for fewer entries, or populate less`,
    );
  }
}
