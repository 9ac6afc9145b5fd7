/** Writes single values as the field's type serializes them. */
import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLLeafType, GraphQLString } from "graphql";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { type ColumnPlan, decodeEntry, decoderOf, type Encode, encoderOf } from "../../query/index.ts";
import { scalars } from "../scalars.ts";

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
export const isUnchanged = (type: GraphQLLeafType, stored: Stored): boolean =>
  UNCHANGED.get(type.serialize)?.has(formOf(stored)) === true;

const leafText = (type: GraphQLLeafType, value: unknown): string =>
  value === null || value === undefined ? "null" : (JSON.stringify(type.serialize(value)) ?? "null");

/** Creates the encoder of a column. It throws if the type refuses a value. */
export const columnText = (type: GraphQLLeafType, stored: Stored): Encode => {
  if (isUnchanged(type, stored)) return encoderOf(stored);
  const decode = decoderOf(stored);
  return (value) => leafText(type, decode(value));
};

/** The same for a value inside a component. */
export const entryText = (type: GraphQLLeafType, stored: Stored): ((value: unknown) => string) => {
  const serialized = (value: unknown): string => leafText(type, decodeEntry(stored, value));
  if (formOf(stored) !== "text" || !isUnchanged(type, stored)) return serialized;
  return (value) => (typeof value === "string" ? JSON.stringify(value) : serialized(value));
};

/** The same for a value that does not come from the database. */
export const plainText =
  (type: GraphQLLeafType) =>
  (value: unknown): string =>
    leafText(type, value);
