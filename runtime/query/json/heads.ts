/** The texts before each member's value, precomputed for objects that always have the same members. */
export class Heads {
  #pending: string;

  /** @param start the text at the beginning of the object: `{`, or with members that are written already */
  constructor(start = "{") {
    this.#pending = start;
  }

  /** The text before the value of the next member. */
  next(name: string): string {
    const head = `${this.#pending}${JSON.stringify(name)}:`;
    this.#pending = ",";
    return head;
  }

  /** Opens a nested object, to which all further members belong. */
  enter(name: string): void {
    this.#pending = `${this.next(name)}{`;
  }

  /** The text after the last value, without the closing brackets. */
  end(): string {
    return this.#pending === "," ? "" : this.#pending;
  }
}
