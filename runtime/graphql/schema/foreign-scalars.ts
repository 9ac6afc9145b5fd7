/**
 * Looks for scalars of the application's own in what is ready. Their code may give something else at another time, so
 * answers that depend on it are not kept.
 */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  isScalarType,
} from "graphql";
import { isOwnScalar } from "../scalars.ts";
import { rootOf, sourceOf } from "./ready.ts";

const takesForeign = (type: GraphQLInputType, seen: Set<GraphQLNamedInputType>): boolean => {
  const named = getNamedType(type);
  if (isScalarType(named)) return !isOwnScalar(named);
  if (!isInputObjectType(named) || seen.has(named)) return false;
  seen.add(named);
  return Object.values(named.getFields()).some((field) => takesForeign(field.type, seen));
};

const isForeign = ({ type, args }: GraphQLField<unknown, unknown>, seen: Set<GraphQLNamedInputType>): boolean => {
  const named = getNamedType(type);
  return (isScalarType(named) && !isOwnScalar(named)) || args.some((argument) => takesForeign(argument.type, seen));
};

/** Whether fields that are ready show or take scalars of the application's own. */
export const showsForeignScalars = (schema: GraphQLSchema): boolean => {
  const seen = new Set<GraphQLNamedInputType>();
  return Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .some((field) => (sourceOf(field.resolve) ?? rootOf(field.resolve)) !== undefined && isForeign(field, seen));
};
