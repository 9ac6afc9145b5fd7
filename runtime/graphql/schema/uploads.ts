/** Who may send files with an operation: whoever may call a field that takes one. */
import { type GraphQLArgument, type GraphQLField, type GraphQLSchema, getNamedType } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { checkOf } from "./guards.ts";

const isUpload = ({ type }: GraphQLArgument): boolean => getNamedType(type).name === "Upload";

const takesFiles = ({ args }: GraphQLField<unknown, unknown>): boolean => args.some(isUpload);

/** Undefined where no field takes files. */
export const uploadCheck = (schema: GraphQLSchema): ((caller: Caller) => boolean) | undefined => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(takesFiles);
  if (fields.length === 0) return undefined;
  const checks = fields.map(checkOf);
  return (caller) => checks.some((check) => check?.(caller) ?? true);
};
