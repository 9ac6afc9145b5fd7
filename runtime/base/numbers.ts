/** Assigns numbers to objects, so that they can be part of a key. */
export class Numbers {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  of(object: object): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = this.#last += 1;
      this.#numbers.set(object, number);
    }
    return number;
  }
}
