/** How large an answer may become: populate along mutual relations multiplies texts, whatever few rows they are of. */
import { ValidationError } from "../base/errors.ts";

/** Characters that an entry counts for where an answer is not text yet. */
const ENTRY = 100;

/** A 400 for an answer that is larger than it may be. */
export class AnswerTooLargeError extends ValidationError {}

/** Names of what leads to a list, and indexes between them. */
export type AnswerPath = string | readonly (string | number)[];

const namesIn = (path: AnswerPath): string =>
  typeof path === "string" ? path : path.filter((step) => typeof step === "string").join(".");

/** One answer while it is written. */
export class AnswerSize {
  readonly #limit: number;
  #done = 0;
  #entries = 0;
  /** Why the answer must not be sent. */
  refusal: AnswerTooLargeError | undefined;

  /** @param limit most characters (`limits.answerSize`) */
  constructor(limit: number = Infinity) {
    this.#limit = limit;
  }

  /**
   * Looks at what has been written of a list.
   *
   * @param length its characters so far
   * @param path what leads to it; empty for the documents that were asked for
   * @throws AnswerTooLargeError when it is more than the whole answer may have
   */
  check(length: number, path: AnswerPath): void {
    if (this.#done + length > this.#limit) throw this.#error(path);
  }

  /**
   * Looks at a part that is done, and counts it.
   *
   * @throws AnswerTooLargeError when the parts together are more than the answer may have
   */
  add(length: number, path: AnswerPath): void {
    this.check(length, path);
    this.#done += length;
  }

  /**
   * Counts the entries of a list in an answer that is put together from objects, by whoever cannot stop what does so.
   *
   * @returns whether their text may be short enough; if not, `refusal` says why, and the answer is not to be sent
   */
  takes(entries: number, path: AnswerPath): boolean {
    this.#entries += entries;
    if (this.#entries * ENTRY <= this.#limit) return true;
    this.refusal ??= this.#error(path);
    return false;
  }

  #error(asked: AnswerPath): AnswerTooLargeError {
    const path = namesIn(asked);
    const place = path === "" ? "" : ` at ${path}`;
    return new AnswerTooLargeError(
      `The answer has more than ${this.#limit} characters${place}. Ask for fewer entries, or populate less`,
      { key: path.split(".").at(-1) ?? path, path, source: "query", param: "populate" },
    );
  }
}
