/** The writing of one answer: where it stands, and what went wrong on the way. */
import {
  getNullableType,
  isListType,
  isNonNullType,
  locatedError,
  type FieldNode,
  type GraphQLError,
  type GraphQLOutputType,
} from "graphql";
import { AnswerTooLargeError, Writing, listText, type Write as WriteRows } from "../../query/index.ts";

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

/** How the items of a field are written. */
export interface Items {
  /** Of a single item. */
  readonly type: GraphQLOutputType;
  write<Item>(run: Run, items: readonly Item[], writeItem: (item: Item) => string): string;
}

/** A list of what a field leads to, or the first of it. */
export const itemsOf = (type: GraphQLOutputType, nodes: readonly FieldNode[]): Items => {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) {
    return {
      type: nullable,
      write: (_run, [first], writeItem) => (first === undefined ? "null" : writeItem(first)),
    };
  }
  const isRequired = isNonNullType(nullable.ofType);
  return {
    type: getNullableType(nullable.ofType),
    write(run, items, writeItem) {
      const depth = run.path.length;
      const text = listText(run.size, run.path, items, (item, index) => {
        run.path[depth] = index;
        try {
          return writeItem(item);
        } catch (error) {
          return run.fail(error, nodes, depth, isRequired);
        }
      });
      run.path.length = depth;
      return text;
    },
  };
};
