/** The length of a response, measured while it is written. */
import { ValidationError } from "../../base/errors.ts";

/** Characters to count per entry while the text is unknown. */
const ENTRY = 100;

/** A 400 for a response that is longer than allowed. */
export class AnswerTooLargeError extends ValidationError {}

/** The path to a list in the response: attribute names, and indexes between them. */
export type AnswerPath = string | readonly (string | number)[];

const namesIn = (path: AnswerPath): string =>
  typeof path === "string" ? path : path.filter((step) => typeof step === "string").join(".");

/**
 * Measures one response while it is written. Populating mutual relations can repeat the same rows many times, so the
 * text may be long although few rows were read.
 */
export class AnswerSize {
  readonly #limit: number;
  #done = 0;
  #entries = 0;
  /** The error to send instead, once the response has become too long. */
  refusal: AnswerTooLargeError | undefined;

  /** @param limit maximum characters of the response (`limits.answerSize`) */
  constructor(limit: number = Infinity) {
    this.#limit = limit;
  }

  /**
   * Checks the length of a list that is still being written.
   *
   * @param length its characters so far
   * @param path the path to the list; empty for the list of the requested documents
   * @throws AnswerTooLargeError when the list alone is longer than the whole response may be
   */
  check(length: number, path: AnswerPath): void {
    if (this.#done + length > this.#limit) throw this.#error(path);
  }

  /**
   * Adds the length of a completed part.
   *
   * @throws AnswerTooLargeError when all parts together are longer than the response may be
   */
  add(length: number, path: AnswerPath): void {
    this.check(length, path);
    this.#done += length;
  }

  /**
   * Counts the entries of a list, for a response that other code builds from objects and that no error of ours can
   * interrupt.
   *
   * @returns whether the text may still be short enough. If not, `refusal` is the error, and the response must not be
   * sent
   */
  takes(entries: number, path: AnswerPath): boolean {
    this.#entries += entries;
    if (this.#entries * ENTRY <= this.#limit) return true;
    this.refusal ??= this.#error(path);
    return false;
  }

  #error(at: AnswerPath): AnswerTooLargeError {
    const path = namesIn(at);
    const where = path === "" ? "" : ` at ${path}`;
    return new AnswerTooLargeError(
      `The answer has more than ${this.#limit} characters${where} (limits.answerSize). Ask for fewer entries, or populate less`,
      { key: path.split(".").at(-1) ?? path, path, source: "query", param: "populate" },
    );
  }
}
