/** Places in a query, and the errors that name them. */
import { invalidKey, ValidationError } from "../../base/errors.ts";
import type { QueryPath } from "../query.ts";

/** The same place, one name deeper in the path. */
export const below = <At extends QueryPath>(at: At, name: string): At => ({
  ...at,
  path: at.path === null ? name : `${at.path}.${name}`,
});

/** A 400 that names a place in the query; `key` is the last name of its path by default. */
export const faultAt = (
  { param, path }: { readonly param: string; readonly path: string | null },
  message: string,
  key = path?.split(".").at(-1) ?? param,
): ValidationError => new ValidationError(message, { key, path, source: "query", param });

/** The error for a key that does not exist here. */
export const unknownKey = (key: string, { param, path }: QueryPath): ValidationError =>
  invalidKey(key, { path, source: "query", param });

/** The error for a key that exists but may not be used here. */
export const forbiddenKey = (key: string, place: QueryPath): ValidationError => unknownKey(key, below(place, key));

/** Whether an object was a list with too many entries: `qs` turns such lists into objects with indexes as keys. */
export const isLongList = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));

const where = ({ path }: QueryPath): string => (path === null ? "" : ` at ${path}`);

/** The error for a list with too many entries; `key` is that of the list, or of its first entry. */
export const listTooLong = (key: string, place: QueryPath, limit: number): ValidationError => {
  const message = `Invalid ${place.param} parameter${where(place)}. A list may have ${limit} entries (rest.arrayLimit)`;
  return faultAt(place, message, key);
};

/** Refuses a query that asks for too much. */
export const refuse = (place: QueryPath, reason: string, limit: string): never => {
  throw faultAt(place, `Invalid ${place.param} parameter${where(place)}. ${reason} (${limit})`);
};
