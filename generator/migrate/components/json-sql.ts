import type { Pair } from "../names/pairings.ts";
import { literal } from "../sql.ts";
/**
 * SQL over JSON objects, by the functions that `cms migrate` makes: see
 * `runtime/database/migrations/entry-functions.ts`.
 */
import type { Call, Fields } from "./json-change.ts";

/** The names that functions which rewrite entries use for an entry, and for its original state. */
export const ENTRY = "entry";
export const GIVEN = "given";

const isConstant = (value: string): boolean => /^'([^']|'')*'::json$/.test(value);

/** A JSON literal, or an expression that builds it. */
const objectOf = (fields: Fields): string =>
  fields.every(([, value]) => isConstant(value))
    ? literal(`{${fields.map(([name, value]) => `${JSON.stringify(name)}: ${constant(value)}`).join(", ")}}`)
    : `json_build_object(${fields.map(([name, value]) => `${literal(name)}, ${value}`).join(", ")})`;

const constant = (value: string): string => value.slice(1, -"'::json".length).replaceAll("''", "'");

/** The object with these fields replaced, or appended. */
export const withFields = (object: string, fields: Fields): string => `galley_add(${object}, ${objectOf(fields)})`;

/** The component entry with these fields; a new one if there is none and any of the fields has a value. */
export const entryWith = (entry: string, fields: Fields): string => `galley_fill(${entry}, ${objectOf(fields)})`;

export const call = (name: Call["name"], ...more: readonly string[]): Call => ({ kind: "call", name, more });

/** New names by old ones, as JSON. */
export const renames = (names: readonly Pair[]): string => {
  const text = JSON.stringify(Object.fromEntries(names.map((each) => [each.old, each.new])));
  return literal(text.replaceAll('":"', '": "').replaceAll('","', '", "'));
};

/** The field of an object, as JSON. */
export const fieldOf = (object: string, field: string): string => `${object} -> ${literal(field)}`;
