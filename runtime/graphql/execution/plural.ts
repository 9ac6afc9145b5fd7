/** Writes the items that a field leads to, or the only one. */
import { type FieldNode, getNullableType, type GraphQLOutputType, isListType, isNonNullType } from "graphql";
import type { Run } from "./run.ts";

/** How an item of a list is written, or the only thing that a field leads to. */
type WriteItem<Item> = (run: Run, item: Item) => string;

/** A list of what a field leads to, or the first of it. */
export const plural = <Item>(
  type: GraphQLOutputType,
  nodes: FieldNode[],
  writeItem: (itemType: GraphQLOutputType) => WriteItem<Item>,
): ((run: Run, items: readonly Item[]) => string) => {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) {
    const write = writeItem(nullable);
    return (run, items) => {
      const [first] = items;
      return first === undefined ? "null" : write(run, first);
    };
  }
  const isRequired = isNonNullType(nullable.ofType);
  const write = writeItem(getNullableType(nullable.ofType));
  return (run, items) => {
    const depth = run.path.length;
    let text = "";
    for (const [index, item] of items.entries()) {
      run.path[depth] = index;
      try {
        text += (index === 0 ? "" : ",") + write(run, item);
      } catch (error) {
        text += (index === 0 ? "" : ",") + run.fail(error, nodes, depth, isRequired);
      }
      run.check(text);
    }
    run.path.length = depth;
    return `[${text}]`;
  };
};
