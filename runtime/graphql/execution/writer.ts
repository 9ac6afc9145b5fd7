/** Writes what a selection shows of rows as JSON text, for selections of fields that are ready. */
import { collectSubFields } from "@graphql-tools/utils";
import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type FragmentDefinitionNode,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { Caller } from "../../access/caller.ts";
import type { PlanSize } from "../../query/index.ts";
import type { Node } from "../builder.ts";
import { checkOf } from "../schema/guards.ts";
import { type Reader, readyField, readyType } from "../schema/ready.ts";

/** The text of a value. */
export type Write = (value: unknown) => string;

/** The operation that selections are part of. */
export interface WriteContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly variables: { [name: string]: unknown };
  readonly caller: Caller;
  /** The objects selected so far, as fragments unfold; too many are for the executor to refuse. */
  readonly size: PlanSize;
}

/** Something is not ready, or an error is to be told: only the executor can answer. */
export class NotReady extends Error {}

/** The fields that `nodes` select of an object, by response key: fragments and directives resolved. */
const selected = ({ schema, fragments, variables }: WriteContext, type: GraphQLObjectType, nodes: FieldNode[]) =>
  collectSubFields(schema, fragments, { coerced: variables, sources: {} }, type, nodes).fields;

/** How values of a type are written. Throws {@link NotReady}, as what it returns does for null where there may be none. */
export const writerOf = (context: WriteContext, type: GraphQLOutputType, nodes: FieldNode[]): Write => {
  if (isNonNullType(type)) return present(writerOf(context, type.ofType, nodes));
  if (isListType(type)) return list(writerOf(context, type.ofType, nodes));
  if (isLeafType(type)) return leaf(type);
  return isObjectType(type) ? object(context, type, nodes) : union(context, type, nodes);
};

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

const present =
  (write: Write): Write =>
  (value) => {
    const text = write(value);
    if (text === "null") throw new NotReady();
    return text;
  };

const list =
  (write: Write): Write =>
  (value) => {
    if (isAbsent(value)) return "null";
    if (!Array.isArray(value)) throw new NotReady();
    // Appended rather than joined, so that texts are copied once, at the end.
    let text = "";
    for (const item of value) text += text === "" ? write(item) : `,${write(item)}`;
    return `[${text}]`;
  };

const leaf =
  (type: GraphQLLeafType): Write =>
  (value) =>
    isAbsent(value) ? "null" : (JSON.stringify(type.serialize(value)) ?? "null");

const isRow = (value: unknown): value is Node => typeof value === "object" && value !== null;

interface Member {
  /** The key and what stands before it. */
  readonly head: string;
  readonly name: string;
  readonly key: string;
  readonly reader: Reader;
  readonly write: Write;
}

const object = (context: WriteContext, type: GraphQLObjectType, nodes: FieldNode[]): Write => {
  context.size.grow();
  const members = [...selected(context, type, nodes)].map(([key, fields], index) => {
    const head = `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    return { head, key, ...member(context, type, fields) };
  });
  return (value) => {
    if (isAbsent(value)) return "null";
    if (!isRow(value)) throw new NotReady();
    let text = "";
    for (const { head, name, key, reader, write } of members) text += head + write(reader(value, name, key));
    return `${text}}`;
  };
};

const member = (
  context: WriteContext,
  type: GraphQLObjectType,
  nodes: FieldNode[],
): Pick<Member, "name" | "reader" | "write"> => {
  const name = nodes[0]?.name.value ?? "";
  if (name === "__typename") return { name, reader: () => type.name, write: (value) => `"${String(value)}"` };
  const field = type.getFields()[name];
  const ready = readyField(field?.resolve);
  if (!field || !ready?.reader || checkOf(field)?.(context.caller) === false) throw new NotReady();
  return { name, reader: ready.reader, write: writerOf(context, field.type, nodes) };
};

const union = (context: WriteContext, type: GraphQLAbstractType, nodes: FieldNode[]): Write => {
  const nameOf = readyType(type.resolveType);
  if (!nameOf) throw new NotReady();
  const writers = new Map(
    context.schema.getPossibleTypes(type).map((each) => [each.name, object(context, each, nodes)]),
  );
  return (value) => {
    if (isAbsent(value)) return "null";
    const write = isRow(value) ? writers.get(nameOf(value) ?? "") : undefined;
    if (!write) throw new NotReady();
    return write(value);
  };
};
