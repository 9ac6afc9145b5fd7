/** What stands before each member of an object that always has the same members. */
export class Heads {
  #pending: string;

  /** @param start the text that the object begins with; `{` unless members are written already */
  constructor(start = "{") {
    this.#pending = start;
  }

  /** The text before the value of the next member. */
  next(name: string): string {
    const head = `${this.#pending}${JSON.stringify(name)}:`;
    this.#pending = ",";
    return head;
  }

  /** The next member is an object, and the members after it stand in there. */
  enter(name: string): void {
    this.#pending = `${this.next(name)}{`;
  }

  /** The text behind the last value, up to but without the closing brackets. */
  end(): string {
    return this.#pending === "," ? "" : this.#pending;
  }
}
