/** GraphQL queries that a front end may send: every query field, with its relations. */
import {
  buildSchema,
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isUnionType,
} from "graphql";
import type { GraphqlRequest } from "../request.ts";

/** The maximum depth of selections below the field: in the entity format, one level of content takes two. */
const DEPTH = 4;

const isLeaf = (type: GraphQLOutputType): boolean => isScalarType(getNamedType(type)) || isEnumType(getNamedType(type));

/** Row ids differ between databases. */
const isAsked = (field: GraphQLField<unknown, unknown>): boolean =>
  field.name !== "id" && !field.args.some(isRequiredArgument);

const fieldText = (field: GraphQLField<unknown, unknown>, depth: number): readonly string[] => {
  if (!isAsked(field)) return [];
  if (isLeaf(field.type)) return [field.name];
  const inner = depth === 0 ? "" : selection(field.type, depth - 1);
  const sort = field.args.some(({ name }) => name === "sort") ? '(sort: ["createdAt", "updatedAt"])' : "";
  return inner === "" ? [] : [`${field.name}${sort} ${inner}`];
};

/** Members of a union may have fields with the same name and other types. */
const memberText = (name: string, fields: readonly GraphQLField<unknown, unknown>[]): string => {
  const leaves = fields.filter((field) => isAsked(field) && isLeaf(field.type));
  const inner = leaves.map((field) => `${name}_${field.name}: ${field.name}`);
  return inner.length === 0 ? "" : `... on ${name} { ${inner.join(" ")} }`;
};

/** Fields that the other server lacks: cursors of lists. */
const isOwn = (type: string, field: string): boolean => type === "Pagination" && field === "after";

const selection = (output: GraphQLOutputType, depth: number): string => {
  const type = getNamedType(output);
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => memberText(member.name, Object.values(member.getFields())));
    return `{ __typename ${members.join(" ")} }`;
  }
  if (!isObjectType(type)) return "";
  const fields = Object.values(type.getFields()).filter(({ name }) => !isOwn(type.name, name));
  const parts = fields.flatMap((field) => fieldText(field, depth));
  return parts.length === 0 ? "" : `{ ${parts.join(" ")} }`;
};

const asks = (field: GraphQLField<unknown, unknown>): readonly string[] => {
  if (field.args.some(isRequiredArgument)) return [];
  const inner = selection(field.type, DEPTH);
  const names = new Set(field.args.map(({ name }) => name));
  if (inner === "" || names.has("id") || names.has("documentId")) return [];
  const sorted = names.has("sort") ? ['sort: ["createdAt", "updatedAt"]'] : [];
  const call = (extra: readonly string[]): string => {
    const args = [...sorted, ...extra];
    return `{ ${field.name}${args.length === 0 ? "" : `(${args.join(", ")})`} ${inner} }`;
  };
  return [
    call([]),
    ...(names.has("pagination")
      ? [call(["pagination: { limit: 2, start: 1 }"]), call(["pagination: { limit: 1000 }"])]
      : []),
  ];
};

/** The queries for a schema given as text. */
export const graphqlSet = (schema: string): readonly GraphqlRequest[] => {
  const fields = Object.values(buildSchema(schema).getQueryType()?.getFields() ?? {});
  return fields
    .filter(({ name }) => name !== "me")
    .flatMap((field) => asks(field).map((query): GraphqlRequest => ({ kind: "graphql", query })));
};
