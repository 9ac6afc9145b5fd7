/** Reads selections: resolves fragments, directives and aliases, and merges equal response keys. */
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
import { aliasPrefix } from "../schema/ready.ts";

/** A field of a selection, with all nodes that select it under one response key. */
export interface SelectedField {
  /** The alias, or the name. */
  readonly key: string;
  readonly name: string;
  readonly nodes: FieldNode[];
  readonly args: Readonly<Record<string, unknown>>;
  /** The possible object types of its value: one, several for a union, none for a scalar. */
  readonly types: readonly GraphQLObjectType[];
}

const objectTypes = (type: unknown, schema: GraphQLResolveInfo["schema"]): readonly GraphQLObjectType[] => {
  if (isObjectType(type)) return [type];
  return isUnionType(type) ? schema.getPossibleTypes(type) : [];
};

/** The fields that `nodes` select of an object type, without introspection fields. */
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

/** Where an object is selected: the nodes below one path of response keys. */
export interface Place {
  readonly type: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
  /** The aliases of the wrappers between the row and this place; see {@link aliasPrefix}. */
  readonly prefix: string;
}

/** The places inside the fields called `name`, one for each of their response keys. */
export const descend = (info: GraphQLResolveInfo, places: readonly Place[], name: string): readonly Place[] =>
  places.flatMap(({ type, nodes, prefix }) =>
    subfields(info, type, nodes)
      .filter((field) => field.name === name)
      .flatMap(({ key, types: [inner], nodes: selected }) =>
        inner ? [{ type: inner, nodes: selected, prefix: prefix + aliasPrefix(key, name) }] : [],
      ),
  );

/** The object type of a root field, and the nodes that select it. */
export const rootSelection = (info: GraphQLResolveInfo): Place => {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) throw new Error(`${info.fieldName} does not lead to an object`);
  return { type, nodes: info.fieldNodes, prefix: "" };
};
