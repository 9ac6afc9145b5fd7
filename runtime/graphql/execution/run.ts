/** The writing of one answer: where it stands, what went wrong on the way, and texts that are used again. */
import { type FieldNode, type GraphQLError, locatedError } from "graphql";
import type { Row } from "../../database/database.ts";
import { type AnswerSize, AnswerTooLargeError, type RowSet } from "../../query/index.ts";

const NO_VALUES: Row = [];

export class Run {
  readonly errors: GraphQLError[] = [];
  /** Keys and indexes down to what is being written. */
  readonly path: (string | number)[] = [];
  readonly size: AnswerSize;
  readonly #texts = new Map<Write, string[]>();

  constructor(size: AnswerSize) {
    this.size = size;
  }

  /** The text of a row that several others may lead to: written once by each writer. */
  once(write: Write, set: RowSet, position: number): string {
    let texts = this.#texts.get(write);
    if (texts === undefined) {
      texts = [];
      this.#texts.set(write, texts);
    }
    const known = texts[position];
    if (known !== undefined) return known;
    const faults = this.errors.length;
    const text = write(this, set, set.rows[position] ?? NO_VALUES, undefined);
    // An error belongs to one place only: at the next one it is found again.
    if (this.errors.length === faults) texts[position] = text;
    return text;
  }

  /** Looks at what has been written of a list. */
  check(text: string): void {
    this.size.check(text.length, this.path);
  }

  /**
   * What stands where something went wrong: null with an error beside it, or nothing, when there must be no null: then
   * the error goes on to what is around it. An answer that is too large is given up altogether.
   */
  fail(error: unknown, nodes: readonly FieldNode[], depth: number, isRequired: boolean): string {
    const located = locatedError(error, nodes, [...this.path]);
    this.path.length = depth;
    if (isRequired || located.originalError instanceof AnswerTooLargeError) throw located;
    this.errors.push(located);
    return "null";
  }
}

/**
 * Writes a value of an answer.
 *
 * @param value what stands in the row, or under the name in a component
 */
export type Write = (run: Run, set: RowSet, row: Row, value: unknown) => string;
