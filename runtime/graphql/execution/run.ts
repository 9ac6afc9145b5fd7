/** The state of writing one response: the current path, and the errors so far. */
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
  /** Response keys and list indexes down to the current value. */
  readonly path: (string | number)[] = [];

  /**
   * Records an error and returns `null` as the text of the faulty field. If the field may not be null, throws the error
   * on to the enclosing field. A response that is too large fails as a whole.
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

/** The type and nullability of a field's items. */
export interface Items {
  /** The type of a single item. */
  readonly type: GraphQLOutputType;
  write<Item>(run: Run, items: readonly Item[], writeItem: (item: Item) => string): string;
}

/** How a field shows the items it leads to: as a list, or only the first. */
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
