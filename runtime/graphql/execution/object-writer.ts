/** Composes what writes the objects of a selection, from what their fields select of rows and components. */
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

/** The operation that selections are part of. */
export interface WriteContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly variables: { [name: string]: unknown };
  readonly caller: Caller;
  /** The objects selected so far, as fragments unfold; too many are for the executor to refuse. */
  readonly size: PlanSize;
  /** The fields of all of them, which is what writers take memory for. */
  readonly members: PlanSize;
}

/** Something that only resolvers can answer is selected, or something that the caller may not have. */
export class NotReady extends Error {}

/** A field that an object shows. */
export interface Shown {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly source: Source;
  readonly nodes: FieldNode[];
}

/** How a field is written, without regard to what may be null. */
type FieldWriter<Part> = (shown: Shown) => Write<Part>;

/** The fields that `nodes` select of an object, by the key of the answer: fragments and directives resolved. */
export const selectedOf = (
  { schema, fragments, variables }: Omit<WriteContext, "caller" | "size" | "members">,
  type: GraphQLObjectType,
  nodes: FieldNode[],
): ReadonlyMap<string, FieldNode[]> =>
  collectSubFields(schema, fragments, { coerced: variables, sources: {} }, type, nodes).fields;

/** One field with all that an operation selects at its top. */
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

/** Writers that cannot fail: a note on the function itself, which is called for every field of every row. */
const sure = new WeakSet<object>();

/** Notes that a writer cannot fail. */
export const certain = <Writer extends object>(write: Writer): Writer => {
  sure.add(write);
  return write;
};

/** A field whose fault is an error beside a null, as far around it as there may be one. */
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

/** The object type of a field that leads to one object. */
export const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType => {
  const object = getNullableType(type);
  if (!isObjectType(object)) throw new NotReady();
  return object;
};
