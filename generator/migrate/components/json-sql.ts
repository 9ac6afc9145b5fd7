import { literal } from "../sql.ts";
/** SQL over JSON objects, by the functions that `cms migrate` makes: see `runtime/database/migrations/entry-functions.ts`. */
import type { Fields } from "./json-change.ts";

/** What the functions that rewrite entries call an entry, and what it was like before any step. */
export const ENTRY = "entry";
export const GIVEN = "given";

const isConstant = (value: string): boolean => /^'([^']|'')*'::json$/.test(value);

/** JSON whose values are all known as they are written, or an expression that makes it. */
const objectOf = (fields: Fields): string =>
  fields.every(([, value]) => isConstant(value))
    ? literal(`{${fields.map(([name, value]) => `${JSON.stringify(name)}: ${constant(value)}`).join(", ")}}`)
    : `json_build_object(${fields.map(([name, value]) => `${literal(name)}, ${value}`).join(", ")})`;

const constant = (value: string): string => value.slice(1, -"'::json".length).replaceAll("''", "'");

/** The object with these fields: in their places, or at its end. */
export const withFields = (object: string, fields: Fields): string => `galley_add(${object}, ${objectOf(fields)})`;

/** The entry of a component with these fields; a new one, where there is none and any of them has a value. */
export const entryWith = (entry: string, fields: Fields): string => `galley_fill(${entry}, ${objectOf(fields)})`;

/** The field of an object, as JSON. */
export const fieldOf = (object: string, field: string): string => `${object} -> ${literal(field)}`;
