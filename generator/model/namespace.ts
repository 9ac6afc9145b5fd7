/** A namespace: each name can be assigned once. */
export class Namespace {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Assigns the first free one of `candidates`, or else the last one with the lowest free number from 2. */
  take(...candidates: readonly [string, ...string[]]): string {
    const last = candidates.at(-1) ?? candidates[0];
    let name = candidates.find((candidate) => !this.has(candidate));
    for (let number = 2; name === undefined; number += 1)
      if (!this.has(`${last}_${number}`)) name = `${last}_${number}`;
    this.#taken.add(name);
    return name;
  }
}
