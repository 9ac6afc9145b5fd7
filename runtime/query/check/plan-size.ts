/** How much one query may follow: counted while it is read, so that a short text cannot ask for endless work. */
import { ValidationError } from "../../base/errors.ts";

export class PlanSize {
  readonly #limit: number;
  #size = 0;

  /** `limit` is `rest.planSize` of the configuration. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more relation, media or component that the query reads or looks into; too many are a 400. */
  grow(): void {
    this.#size += 1;
    if (this.#size > this.#limit) {
      throw new ValidationError(`Invalid query. It follows more than ${this.#limit} relations, media and components`);
    }
  }
}
