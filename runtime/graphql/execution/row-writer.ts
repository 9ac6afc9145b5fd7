/** Composes the writers of rows, and of what is populated in them, for a selection. */
import {
  getNullableType,
  isAbstractType,
  isLeafType,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from "graphql";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import {
  memberWriter,
  storedIn,
  type ColumnPlan,
  type Entry,
  type EntryLevel,
  type MemberPlan,
  type RowLevel,
  decodeEntry,
  decoderOf,
  type Encode,
  encoderOf,
} from "../../query/index.ts";
import type { Node } from "../context.ts";
import type { RootRead } from "../operations/operations.ts";
import { memberOf } from "../operations/reads.ts";
import { scalars } from "../scalars.ts";
import { aliasPrefix, populatedKey, readyType, type Source } from "../schema/ready.ts";
import { NotReady, certain, objectTypeOf, objectWriter, type Shown, type WriteContext } from "./object-writer.ts";
import { itemsOf, type Write } from "./run.ts";

type Stored = ColumnPlan["type"];

/** The forms that a scalar leaves as the REST API writes them, by its `serialize` function. */
const UNCHANGED: ReadonlyMap<unknown, ReadonlySet<ScalarForm>> = new Map<unknown, ReadonlySet<ScalarForm>>([
  [GraphQLString.serialize, new Set(["text"] as const)],
  [GraphQLID.serialize, new Set(["text"] as const)],
  [GraphQLInt.serialize, new Set(["integer"] as const)],
  [GraphQLFloat.serialize, new Set(["integer", "number", "decimal"] as const)],
  [GraphQLBoolean.serialize, new Set(["boolean"] as const)],
  [scalars.JSON.serialize, new Set(["text", "date", "time", "instant", "json"] as const)],
  [scalars.DateTime.serialize, new Set(["instant"] as const)],
]);

/** Whether a value is written as in the REST API, so that serializing cannot fail. */
const isUnchanged = (type: GraphQLLeafType, stored: Stored): boolean =>
  UNCHANGED.get(type.serialize)?.has(formOf(stored)) === true;

const leafText = (type: GraphQLLeafType, value: unknown): string =>
  value === null || value === undefined ? "null" : (JSON.stringify(type.serialize(value)) ?? "null");

/** Creates the encoder of a column. It throws if the type refuses a value. */
const columnText = (type: GraphQLLeafType, stored: Stored): Encode => {
  if (isUnchanged(type, stored)) return encoderOf(stored);
  const decode = decoderOf(stored);
  return (value) => leafText(type, decode(value));
};

/** The same for a value inside a component. */
const entryText = (type: GraphQLLeafType, stored: Stored): ((value: unknown) => string) => {
  const serialized = (value: unknown): string => leafText(type, decodeEntry(stored, value));
  if (formOf(stored) !== "text" || !isUnchanged(type, stored)) return serialized;
  return (value) => (typeof value === "string" ? JSON.stringify(value) : serialized(value));
};

/** The same for a value that does not come from the database. */
const plainText =
  (type: GraphQLLeafType) =>
  (value: unknown): string =>
    leafText(type, value);

/**
 * Composes the writer of a level's rows as one object type.
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

/** Some fields are wrapper objects, in which one member holds what is populated. */
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

/** The object type of an item; a union tells it from the item's content. */
const itemType = ({ schema }: WriteContext, type: GraphQLOutputType, item: Node): GraphQLObjectType => {
  if (!isAbstractType(type)) return objectTypeOf(type);
  const name = readyType(type)?.(item);
  const found = schema.getPossibleTypes(type).find((each) => each.name === name);
  if (!found) throw new NotReady();
  return found;
};

/** Writes all rows of a set, with the page facts as the value. */
export const rootWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  root: RootRead,
  level: RowLevel,
): Write<unknown> => {
  const member = memberOf(root);
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

/** Writes the page facts beside the documents, under their names. */
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
