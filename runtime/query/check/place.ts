/** Where in a query a check stands, and the errors that name it. */
import { invalidKey, ValidationError } from "../../base/errors.ts";

export type QueryParam = "filters" | "sort" | "fields" | "populate";

/** Where a check stands: the parameter that is blamed and the attribute path so far. */
export interface Place {
  readonly param: QueryParam;
  readonly path: string | null;
  /** To-many relations on the way. */
  readonly steps?: number;
}

export const below = ({ param, path, steps = 0 }: Place, name: string): Place => ({
  param,
  steps,
  path: path === null ? name : `${path}.${name}`,
});

/** A key that does not exist here. */
export const unknownKey = (key: string, { param, path }: Place): ValidationError =>
  invalidKey(key, { path, source: "query", param });

/** Whether it is a list of more entries than a query string may have: its positions became keys. */
export const isLongList = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));

/** What a list with too many entries is refused with; the key is that of the list, or of its first entry. */
export const listTooLong = (key: string, { param, path }: Place, limit: number): ValidationError =>
  new ValidationError(
    `Invalid ${param} parameter${path === null ? "" : ` at ${path}`}. A list may have ${limit} entries`,
    {
      key,
      path,
      source: "query",
      param,
    },
  );

/** A key that exists and may not be used here. */
export const forbiddenKey = (key: string, place: Place): ValidationError => unknownKey(key, below(place, key));
