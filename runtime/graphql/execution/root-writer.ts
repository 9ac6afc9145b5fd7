/** Composes what writes the answer of one field of `Query`. */
import { type FieldNode, getNullableType, type GraphQLOutputType, isLeafType } from "graphql";
import type { RowLevel } from "../../query/index.ts";
import type { RootRead } from "../operations/operations.ts";
import { aliasPrefix } from "../schema/read.ts";
import { itemsOf } from "./items.ts";
import { plainText } from "./leaf.ts";
import { NotReady, objectTypeOf, objectWriter, type WriteContext } from "./object-writer.ts";
import { rowWriter } from "./row-writer.ts";
import type { Write } from "./run.ts";

/** Writes all rows of a set, with the facts beside them as the value. */
export const rootWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  { member }: RootRead,
  level: RowLevel,
): Write<unknown> => {
  if (member === undefined) return documentsWriter(context, type, nodes, level, "");
  return objectWriter(context, objectTypeOf(type), nodes, ({ key, field, nodes: inner }) =>
    field.name === member
      ? documentsWriter(context, field.type, inner, level, aliasPrefix(key, member))
      : factWriter(context, field.type, inner, field.name),
  );
};

const documentsWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  level: RowLevel,
  prefix: string,
): Write<unknown> => {
  const items = itemsOf(type, nodes);
  const writeRow = rowWriter(context, objectTypeOf(items.type), nodes, level, prefix);
  return (run, set) => items.write(run, set.rows, (row) => writeRow(run, set, row, undefined));
};

/** Facts that stand beside the documents, under their names. */
const factWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  name: string,
): Write<unknown> => {
  const nullable = getNullableType(type);
  if (isLeafType(nullable)) {
    const text = plainText(nullable);
    return (_run, _set, _row, value) => text(Object(value)[name]);
  }
  const write = objectWriter<unknown>(context, objectTypeOf(type), nodes, ({ field, source, nodes: inner }) => {
    if (source.kind !== "attribute") throw new NotReady();
    return factWriter(context, field.type, inner, field.name);
  });
  return (run, set, row, value) => write(run, set, row, Object(value)[name]);
};
