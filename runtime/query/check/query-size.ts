/** Limits what a query may ask for. Counted during the checks, since a short query can cause much work. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Place } from "./place.ts";

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

/** Throws a 400 that names the parameter, the path at which the query asks for too much, and the limit. */
export const refuse = ({ param, path }: Place, reason: string, limit: string): never => {
  const key = path === null ? param : (path.split(".").at(-1) ?? path);
  const where = path === null ? "" : ` at ${path}`;
  throw new ValidationError(`Invalid ${param} parameter${where}. ${reason} (${limit})`, {
    key,
    path,
    source: "query",
    param,
  });
};

/** The place after following the to-many relation at `place`; one path of a filter or populate may follow so many. */
export const behindMany = (limits: Limits, place: Place, limit: "filterSteps" | "populateSteps"): Place => {
  const steps = (place.steps ?? 0) + 1;
  const most = limits[limit];
  if (steps > most) refuse(place, `It leads through more than ${most} to-many relations`, `limits.${limit}`);
  return { ...place, steps };
};

/** How many paths of maximum length all filters of one request may contain together. */
const LONG_PATHS = 10;

/** Counts the comparisons, groups, list values, sort keys and to-many relations in all queries of one request. */
export class QuerySize {
  /** The to-many relation that was followed last. */
  followed: Place | undefined;
  readonly #limits: Limits;
  #comparisons = 0;
  #groups = 0;
  #values = 0;
  #keys = 0;
  #sortSteps = 0;
  #filterSteps = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  compare(place: Place): void {
    this.#comparisons += 1;
    this.#check(this.#comparisons, place, "conditions");
  }

  group(place: Place): void {
    this.#groups += 1;
    this.#check(this.#groups, place, "conditions");
  }

  /** Counts a key of a sort, also if the same key was there before. */
  sortBy(place: Place): void {
    this.#keys += 1;
    this.#check(this.#keys, place, "keys");
  }

  /** Counts a to-many relation in a sort key: each one multiplies the rows to examine. */
  sortThrough(place: Place): void {
    const { sortSteps } = this.#limits;
    this.followed = place;
    this.#sortSteps += 1;
    if (this.#sortSteps > sortSteps)
      refuse(place, `Its keys lead through more than ${sortSteps} to-many relations in all`, "limits.sortSteps");
  }

  /** Follows the to-many relation at `place` in a filter. */
  filterThrough(place: Place): Place {
    const most = LONG_PATHS * this.#limits.filterSteps;
    this.followed = place;
    this.#filterSteps += 1;
    const behind = behindMany(this.#limits, place, "filterSteps");
    if (this.#filterSteps > most)
      refuse(place, `It leads through more than ${most} to-many relations in all`, "limits.filterSteps");
    return behind;
  }

  list(length: number, place: Place): void {
    const { listValues } = this.#limits;
    this.#values += length;
    if (this.#values > listValues) refuse(place, `It lists more than ${listValues} values`, "limits.listValues");
  }

  #check(count: number, place: Place, what: string): void {
    const { conditions } = this.#limits;
    if (count > conditions) refuse(place, `It has more than ${conditions} ${what}`, "limits.conditions");
  }
}
