/** The writing of one answer: where it stands, and what went wrong on the way. */
import { type FieldNode, type GraphQLError, locatedError } from "graphql";
import { AnswerTooLargeError, type Write as WriteRows, Writing } from "../../query/index.ts";

export class Run extends Writing {
  readonly errors: GraphQLError[] = [];
  /** Keys and indexes down to what is being written. */
  readonly path: (string | number)[] = [];

  /**
   * What stands where something went wrong: null with an error beside it, or nothing, when there must be no null: then
   * the error goes on to what is around it. An answer that is too large is given up altogether.
   */
  fail(error: unknown, nodes: readonly FieldNode[], depth: number, isRequired: boolean): string {
    const located = locatedError(error, nodes, [...this.path]);
    this.path.length = depth;
    if (isRequired || located.originalError instanceof AnswerTooLargeError) throw located;
    this.errors.push(located);
    this.faults = this.errors.length;
    return "null";
  }
}

/** Writes a part of a row, or of the component or value `Part`. */
export type Write<Part = undefined> = WriteRows<Run, string, Part>;
