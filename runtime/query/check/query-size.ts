/** Limits what a query may ask for. Counted during the checks, since a short query can cause much work. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Place, QueryParam } from "./place.ts";

export type Limits = Omit<Config["limits"], "bodyMembers" | "componentEntries" | "bodyErrors">;

/** The limits for queries from application code. */
export const UNLIMITED: Limits = {
  sortSteps: Infinity,
  filterSteps: Infinity,
  populateSteps: Infinity,
  conditions: Infinity,
  listValues: Infinity,
  rows: Infinity,
  answerSize: Infinity,
};

/** Throws a 400 that names the parameter and the path at which the query asks for too much. */
const refuse = ({ param, path }: Place, reason: string): never => {
  const key = path === null ? param : (path.split(".").at(-1) ?? path);
  throw new ValidationError(`Invalid ${param} parameter${path === null ? "" : ` at ${path}`}. ${reason}`, {
    key,
    path,
    source: "query",
    param,
  });
};

const STEPS: Readonly<Record<Exclude<QueryParam, "fields">, "sortSteps" | "filterSteps" | "populateSteps">> = {
  sort: "sortSteps",
  filters: "filterSteps",
  populate: "populateSteps",
};

/** The place after following the to-many relation at `place`. */
export const behindMany = (limits: Limits, place: Place): Place => {
  const steps = (place.steps ?? 0) + 1;
  if (place.param === "fields") return place;
  const limit = limits[STEPS[place.param]];
  if (steps > limit) refuse(place, `It leads through more than ${limit} to-many relations`);
  return { ...place, steps };
};

/** How many paths of maximum length all sorts, and all filters, of one request may contain together. */
const LONG_PATHS = { sort: 2, filters: 10 };

/** Counts the comparisons, groups, list values, sort keys and to-many relations in all queries of one request. */
export class QuerySize {
  readonly #limits: Limits;
  readonly #followed = { sort: 0, filters: 0 };
  #comparisons = 0;
  #groups = 0;
  #values = 0;
  #keys = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  compare(place: Place): void {
    this.#comparisons += 1;
    this.#check(this.#comparisons, place);
  }

  group(place: Place): void {
    this.#groups += 1;
    this.#check(this.#groups, place);
  }

  /** Counts a key of a sort, also if the same key was there before. */
  sortBy(place: Place): void {
    const { conditions } = this.#limits;
    this.#keys += 1;
    if (this.#keys > conditions) refuse(place, `It has more than ${conditions} keys`);
  }

  /**
   * Follows the to-many relation at `place`. Each one multiplies the work: the database examines all that is behind it
   * for every row.
   */
  follow(place: Place, param: "sort" | "filters"): Place {
    const most = LONG_PATHS[param] * this.#limits[STEPS[param]];
    this.#followed[param] += 1;
    const behind = behindMany(this.#limits, place);
    if (this.#followed[param] > most) refuse(place, `It leads through more than ${most} to-many relations in all`);
    return behind;
  }

  #check(count: number, place: Place): void {
    const { conditions } = this.#limits;
    if (count > conditions) refuse(place, `It has more than ${conditions} conditions`);
  }

  list(length: number, place: Place): void {
    const { listValues } = this.#limits;
    this.#values += length;
    if (this.#values > listValues) refuse(place, `It lists more than ${listValues} values`);
  }
}
