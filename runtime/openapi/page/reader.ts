/** Reads parts of the document, to show them. */
import { isRecord } from "../../base/is-record.ts";
import type { Json } from "../../schema/document.ts";
import type { JsonObject } from "../json-schema.ts";

const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** A member that is an object; an empty one where there is none. */
export const part = (value: Json | undefined, ...names: readonly string[]): JsonObject => {
  const found = names.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
  return isJsonObject(found) ? found : {};
};

/** The objects in a list. */
export const items = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** The name of the schema to which a reference refers. */
export const nameIn = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;

/** The schema itself, or the one to which it refers. */
export const resolve = (document: JsonObject, schema: JsonObject): JsonObject => {
  const { $ref } = schema;
  return typeof $ref === "string" ? part(document, ...$ref.slice(2).split("/")) : schema;
};

const optionsOf = (schema: JsonObject): readonly JsonObject[] => [...items(schema["anyOf"]), ...items(schema["oneOf"])];

/** A schema in a few words, such as `Tag[]` or `string | null`. */
export const wordsFor = (schema: JsonObject): string => {
  const name = nameIn(schema);
  if (name !== undefined) return name;
  const { type, enum: values, const: constant, format } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const options = optionsOf(schema);
  if (options.length > 0) return [...new Set(options.map(wordsFor))].join(" | ");
  const all = items(schema["allOf"]);
  if (all.length > 0) return all.map(wordsFor).join(" & ");
  if (type === "array") return `(${wordsFor(part(schema, "items"))})[]`.replaceAll(/^\((\w+)\)\[\]$/g, "$1[]");
  const words = (Array.isArray(type) ? type : [type ?? "any"]).join(" | ");
  return typeof format === "string" ? `${words} (${format})` : words;
};

/** How deep examples go. */
const DEEPEST = 3;

const scalarExample = (type: Json | undefined): Json => {
  const [one] = Array.isArray(type) ? type : [type];
  if (one === "integer" || one === "number") return 0;
  if (one === "boolean") return false;
  return one === "string" ? "" : null;
};

/** An example value: the required members of an object, or else its optional ones. */
export const exampleOf = (document: JsonObject, given: JsonObject, depth = 0): Json => {
  const schema = resolve(document, given);
  const [first] = [...optionsOf(schema), ...items(schema["allOf"])];
  if (first) return exampleOf(document, first, depth);
  const { type, enum: values, default: preset, required } = schema;
  if (preset !== undefined) return preset;
  if (Array.isArray(values)) return values[0] ?? null;
  if (type === "array") return [];
  if (type !== "object" || depth > DEEPEST) return scalarExample(type);
  const properties = part(schema, "properties");
  const needed = Array.isArray(required) ? required.map(String) : [];
  const plain = Object.keys(properties).filter((name) => typeof part(properties, name)["type"] !== "undefined");
  const names = needed.length > 0 ? needed : plain.filter((name) => part(properties, name)["type"] !== "array");
  return Object.fromEntries(names.map((name) => [name, exampleOf(document, part(properties, name), depth + 1)]));
};
