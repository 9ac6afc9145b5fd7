/**
 * Limits for everything that one request asks for and reads. A GraphQL operation consists of several queries, which
 * share one budget.
 */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Level } from "../query.ts";
import { PlanSize, readsOf } from "./plan-size.ts";
import { type Limits, QuerySize } from "./query-size.ts";

export class Budget {
  /** Counts the parts of filters and sorts. */
  readonly size: QuerySize;
  /** Counts the relations and components that filters and sorts look into. */
  readonly joins: PlanSize;
  /** Counts the populated attributes. */
  readonly breadth: PlanSize;
  readonly #planSize: number;
  readonly #rows: number;
  #refusal: ValidationError | undefined;
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
   * Keeps the request from spending time on further queries once one of them needed more reads than there were left.
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
    this.#read += count;
    if (this.#read <= this.#rows) return;
    throw new ValidationError(
      `Invalid query. What it asks for has more than ${this.#rows} rows (limits.rows). Ask for fewer entries, or populate less`,
    );
  }
}
