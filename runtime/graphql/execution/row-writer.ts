/** Composes what writes rows, and what is populated in them, as a selection shows them. */
import {
  type FieldNode,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
} from "graphql";
import {
  type ColumnPlan,
  type Entry,
  type EntryLevel,
  type MemberPlan,
  memberWriter,
  type RowLevel,
  storedIn,
} from "../../query/index.ts";
import type { Node } from "../node.ts";
import { aliasPrefix, populatedKey } from "../schema/read.ts";
import { readyType, type Source } from "../schema/ready.ts";
import { itemsOf } from "./items.ts";
import { columnText, entryText, isUnchanged } from "./leaf.ts";
import { certain, NotReady, objectTypeOf, objectWriter, type Shown, type WriteContext } from "./object-writer.ts";
import type { Write } from "./run.ts";

/**
 * How rows of a level are written as one object type.
 *
 * @param prefix see {@link aliasPrefix}
 */
export const rowWriter = (
  context: WriteContext,
  type: GraphQLObjectType,
  nodes: FieldNode[],
  level: RowLevel,
  prefix: string,
): Write =>
  objectWriter<undefined>(context, type, nodes, (shown) => {
    const { field, source } = shown;
    switch (source.kind) {
      case "attribute":
        return columnWriter(
          field.type,
          level.columns.find(({ name }) => name === (source.name ?? field.name)),
        );
      case "documentId":
        return columnWriter(field.type, { name: "documentId", type: "string", index: level.documentIdIndex });
      case "row":
        return rowWriter(
          context,
          objectTypeOf(field.type),
          shown.nodes,
          level,
          prefix + aliasPrefix(shown.key, field.name),
        );
      case "populated": {
        const member = populatedMember(shown, level.members, prefix);
        const write = populatedWriter(context, shown, source, member);
        return (run, set, row) => write(run, set, row, storedIn(set, member, row));
      }
    }
  });

const columnWriter = (type: GraphQLOutputType, column: ColumnPlan | undefined): Write => {
  const leaf = getNullableType(type);
  if (!column || !isLeafType(leaf)) throw new NotReady();
  const { index } = column;
  const encode = columnText(leaf, column.type);
  const write: Write = (_run, _set, row) => encode(row[index] ?? null);
  return isUnchanged(leaf, column.type) ? certain(write) : write;
};

/** The same for entries of a component. */
const entryWriter = (
  context: WriteContext,
  type: GraphQLObjectType,
  nodes: FieldNode[],
  level: EntryLevel,
): Write<Entry> =>
  objectWriter<Entry>(context, type, nodes, (shown) => {
    const { field, source } = shown;
    if (source.kind === "populated") {
      const member = populatedMember(shown, level.members, "");
      const write = populatedWriter(context, shown, source, member);
      return (run, set, row, entry) => write(run, set, row, entry[member.name]);
    }
    const leaf = getNullableType(field.type);
    const name = source.kind === "attribute" ? (source.name ?? field.name) : undefined;
    const scalar = level.scalars.find((each) => each.name === name);
    if (!scalar || !isLeafType(leaf)) throw new NotReady();
    const text = entryText(leaf, scalar.type);
    return (_run, _set, _row, entry) => text(entry[scalar.name]);
  });

const populatedMember = ({ key }: Shown, members: readonly MemberPlan[], prefix: string): MemberPlan => {
  const name = populatedKey(prefix, key);
  const member = members.find(({ as }) => as === name);
  if (!member) throw new NotReady();
  return member;
};

/** Some fields are objects of which one member leads on to what is populated. */
const populatedWriter = (
  context: WriteContext,
  { field, nodes }: Shown,
  { wrapper }: Extract<Source, { readonly kind: "populated" }>,
  member: MemberPlan,
): Write<unknown> => {
  if (wrapper === undefined) return fieldWriter(context, field.type, nodes, member, "");
  return objectWriter<unknown>(context, objectTypeOf(field.type), nodes, (shown) => {
    if (shown.field.name !== wrapper) throw new NotReady();
    return fieldWriter(context, shown.field.type, shown.nodes, member, aliasPrefix(shown.key, wrapper));
  });
};

const fieldWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  member: MemberPlan,
  prefix: string,
): Write<unknown> => {
  const items = itemsOf(type, nodes);
  return memberWriter(member, {
    row(level) {
      const write = rowWriter(context, itemType(context, items.type, { __type: level.uid }), nodes, level, prefix);
      return (run, set, position) => run.row(write, set, position);
    },
    entry: (level) => entryWriter(context, itemType(context, items.type, { __component: level.uid }), nodes, level),
    items: items.write,
  });
};

/** The object type of an item; a union tells it by what stands in the item. */
const itemType = ({ schema }: WriteContext, type: GraphQLOutputType, item: Node): GraphQLObjectType => {
  if (!isAbstractType(type)) return objectTypeOf(type);
  const name = readyType(type)?.(item);
  const found = schema.getPossibleTypes(type).find((each) => each.name === name);
  if (!found) throw new NotReady();
  return found;
};
