/** Writes the items that a field leads to, or the only one. */
import { type FieldNode, getNullableType, type GraphQLOutputType, isListType, isNonNullType } from "graphql";
import { listText } from "../../query/index.ts";
import type { Run } from "./run.ts";

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
