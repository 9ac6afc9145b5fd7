/** How single values are written: as the type of the field serializes them. */
import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLLeafType, GraphQLString } from "graphql";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { type ColumnPlan, decodeEntry, decoderOf, type Encode, encoderOf } from "../../query/index.ts";
import { scalars } from "../scalars.ts";

type Stored = ColumnPlan["type"];

/** What scalars leave as the REST API writes it, by what serializes them. */
const UNCHANGED: ReadonlyMap<unknown, ReadonlySet<ScalarForm>> = new Map<unknown, ReadonlySet<ScalarForm>>([
  [GraphQLString.serialize, new Set(["text"] as const)],
  [GraphQLID.serialize, new Set(["text"] as const)],
  [GraphQLInt.serialize, new Set(["integer"] as const)],
  [GraphQLFloat.serialize, new Set(["integer", "number", "decimal"] as const)],
  [GraphQLBoolean.serialize, new Set(["boolean"] as const)],
  [scalars.JSON.serialize, new Set(["text", "date", "time", "instant", "json"] as const)],
  [scalars.DateTime.serialize, new Set(["instant"] as const)],
]);

/** Whether the text of a value is that of the REST API, which no serializing can refuse. */
export const isUnchanged = (type: GraphQLLeafType, stored: Stored): boolean =>
  UNCHANGED.get(type.serialize)?.has(formOf(stored)) === true;

const leafText = (type: GraphQLLeafType, value: unknown): string =>
  value === null || value === undefined ? "null" : (JSON.stringify(type.serialize(value)) ?? "null");

/** How a column is written. What it makes throws where the type refuses a value. */
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

/** The same for a value that is none of the database's. */
export const plainText =
  (type: GraphQLLeafType) =>
  (value: unknown): string =>
    leafText(type, value);
