/** Composes the writers of a selection's objects from the writers of their fields. */
import { collectSubFields } from "@graphql-tools/utils";
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  Kind,
} from "graphql";
import type { Caller } from "../../access/caller.ts";
import { objectText, type PlanSize } from "../../query/index.ts";
import { checkOf } from "../schema/guards.ts";
import { type Source, sourceOf } from "../schema/ready.ts";
import type { Run, Write } from "./run.ts";

/** The operation that the selections belong to. */
export interface WriteContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly variables: { [name: string]: unknown };
  readonly caller: Caller;
  /** The objects selected so far, fragments expanded. If there are too many, the executor refuses them. */
  readonly size: PlanSize;
  /** The fields of all these objects: the writers' memory grows with their number. */
  readonly members: PlanSize;
}

/** Thrown if the selection has a field that only a resolver can answer, or that the caller may not see. */
export class NotReady extends Error {}

/** A selected field of an object. */
export interface Shown {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly source: Source;
  readonly nodes: FieldNode[];
}

/** Composes the writer of a field, without regard to nullability. */
type FieldWriter<Part> = (shown: Shown) => Write<Part>;

/** The fields that `nodes` select of an object, by response key, with fragments and directives resolved. */
export const selectedOf = (
  { schema, fragments, variables }: Omit<WriteContext, "caller" | "size" | "members">,
  type: GraphQLObjectType,
  nodes: FieldNode[],
): ReadonlyMap<string, FieldNode[]> =>
  collectSubFields(schema, fragments, { coerced: variables, sources: {} }, type, nodes).fields;

/** A synthetic field around an operation's top-level selection. */
export const wholeOf = (selectionSet: NonNullable<FieldNode["selectionSet"]>): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: "" },
  selectionSet,
});

/** Composes the writer of objects of one type. */
export const objectWriter = <Part>(
  context: WriteContext,
  type: GraphQLObjectType,
  nodes: FieldNode[],
  writeField: FieldWriter<Part>,
): Write<Part> => {
  context.size.grow();
  const fields = [...selectedOf(context, type, nodes)].map(([key, selected]) => ({
    name: key,
    write: fieldWriter(context, type, key, selected, writeField),
  }));
  const write = objectText<Run, Part>(fields);
  return fields.every((field) => sure.has(field.write)) ? certain(write) : write;
};

const fieldWriter = <Part>(
  context: WriteContext,
  type: GraphQLObjectType,
  key: string,
  nodes: FieldNode[],
  writeField: FieldWriter<Part>,
): Write<Part> => {
  context.members.grow();
  const name = nodes[0]?.name.value ?? "";
  if (name === "__typename") return constant(JSON.stringify(type.name));
  const field = type.getFields()[name];
  const source = sourceOf(field?.resolve);
  if (!field || !source || checkOf(field)?.(context.caller) === false) throw new NotReady();
  return completed(`${type.name}.${name}`, field.type, key, nodes, writeField({ key, field, source, nodes }));
};

const constant = (text: string) => certain((): string => text);

/** Writers that cannot fail. Kept aside, since the functions themselves run for every field of every row. */
const sure = new WeakSet<object>();

/** Marks a writer that cannot fail. */
export const certain = <Writer extends object>(write: Writer): Writer => {
  sure.add(write);
  return write;
};

/** Adds error handling: a fault becomes null and an error, in the nearest enclosing field that may be null. */
export const completed = <Part>(
  place: string,
  type: GraphQLOutputType,
  key: string,
  nodes: FieldNode[],
  write: Write<Part>,
): Write<Part> => {
  const isRequired = isNonNullType(type);
  const noNull = () => new Error(`Cannot return null for non-nullable field ${place}.`);
  if (sure.has(write)) {
    if (!isRequired) return write;
    return (run, set, row, value) => {
      const text = write(run, set, row, value);
      return text === "null" ? run.fail(noNull(), nodes, run.path.push(key) - 1, true) : text;
    };
  }
  return (run, set, row, value) => {
    const depth = run.path.length;
    run.path.push(key);
    try {
      const text = write(run, set, row, value);
      if (isRequired && text === "null") throw noNull();
      run.path.length = depth;
      return text;
    } catch (error) {
      return run.fail(error, nodes, depth, isRequired);
    }
  };
};

/** The object type of a field with a single object. */
export const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType => {
  const object = getNullableType(type);
  if (!isObjectType(object)) throw new NotReady();
  return object;
};
