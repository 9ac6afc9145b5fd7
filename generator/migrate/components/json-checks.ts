/** SQL that stops a migration where a value inside JSON has no place: see `runtime/database/migrations/entry-functions.ts`. */
import { literal } from "../sql.ts";

/** The value, when it is one of `allowed`. */
export const checkedValue = (value: string, allowed: readonly string[], place: string): string =>
  `galley_one_of(${value}, array[${allowed.map(literal).join(", ")}]::text[], ${literal(place)})`;

/** The text, when the SQL type has room for it. */
export const checkedLength = (value: string, type: string, place: string): string => {
  const longest = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return longest === undefined ? value : `galley_fitting(${value}, ${longest}, ${literal(place)})`;
};
