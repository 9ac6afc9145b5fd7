/** Reads selections: fragments, directives and aliases resolved, the same response key merged. */
import { collectSubFields } from "@graphql-tools/utils";
import {
  type FieldNode,
  getArgumentValues,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
  isUnionType,
} from "graphql";

/** A field of a selection: all the places that select it under one response key. */
export interface SelectedField {
  /** The alias, or the name. */
  readonly key: string;
  readonly name: string;
  readonly nodes: FieldNode[];
  readonly args: Readonly<Record<string, unknown>>;
  /** The objects it may lead to: one, several for a union, none for a scalar. */
  readonly types: readonly GraphQLObjectType[];
}

const objectTypes = (type: unknown, schema: GraphQLResolveInfo["schema"]): readonly GraphQLObjectType[] => {
  if (isObjectType(type)) return [type];
  return isUnionType(type) ? schema.getPossibleTypes(type) : [];
};

/** The fields that `nodes` select of an object type. Names of introspection are left out. */
export const subfields = (
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly SelectedField[] => {
  const { schema, fragments, variableValues } = info;
  const variables = { coerced: variableValues, sources: {} };
  const { fields } = collectSubFields(schema, fragments, variables, type, [...nodes]);
  return [...fields].flatMap(([key, selected]) => {
    const [first] = selected;
    const definition = first && type.getFields()[first.name.value];
    if (!first || !definition) return [];
    const args = getArgumentValues(definition, first, variableValues);
    const types = objectTypes(getNamedType(definition.type), schema);
    return [{ key, name: first.name.value, nodes: selected, args, types }];
  });
};

/** The places that select one of `names`, whatever their alias, and what they lead to. */
export const descend = (
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  name: string,
): { readonly type: GraphQLObjectType; readonly nodes: readonly FieldNode[] } | undefined => {
  const found = subfields(info, type, nodes).filter((field) => field.name === name);
  const [target] = found.flatMap((field) => field.types);
  return target && { type: target, nodes: found.flatMap((field) => field.nodes) };
};

/** The object that a root field leads to, and the places that select it. */
export const rootSelection = (info: GraphQLResolveInfo) => {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) throw new Error(`${info.fieldName} does not lead to an object`);
  return { type, nodes: info.fieldNodes };
};
