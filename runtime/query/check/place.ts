/** Where in a query a fault is, and the errors that name the place. */
import { invalidKey, ValidationError } from "../../base/errors.ts";

export type QueryParam = "filters" | "sort" | "fields" | "populate";

/** The place of a check: the query parameter, and the path of attributes so far. */
export interface Place {
  readonly param: QueryParam;
  readonly path: string | null;
  /** The number of to-many relations on the path. */
  readonly steps?: number;
}

export const below = ({ param, path, steps = 0 }: Place, name: string): Place => ({
  param,
  steps,
  path: path === null ? name : `${path}.${name}`,
});

/** The error for a key that does not exist here. */
export const unknownKey = (key: string, { param, path }: Place): ValidationError =>
  invalidKey(key, { path, source: "query", param });

/**
 * Whether an object was a list with more entries than allowed: `qs` turns such lists into objects with indexes as keys.
 */
export const isLongList = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));

/** The error for a list with too many entries; `key` is that of the list, or of its first entry. */
export const listTooLong = (key: string, { param, path }: Place, limit: number): ValidationError =>
  new ValidationError(
    `Invalid ${param} parameter${path === null ? "" : ` at ${path}`}. A list may have ${limit} entries (rest.arrayLimit)`,
    {
      key,
      path,
      source: "query",
      param,
    },
  );

/** The error for a key that exists but may not be used here. */
export const forbiddenKey = (key: string, place: Place): ValidationError => unknownKey(key, below(place, key));
