/** What requests show of documents: its types, and `fields` and `populate` for query strings. */
import type { DocumentOf, KnownUid } from "../schema/document.ts";
import type { Fields, KnownPopulate, Populate, Unpopulated } from "../schema/typed/index.ts";
import { queryString } from "./query-string.ts";

export type FieldsOf<Uid extends KnownUid> = Fields<DocumentOf<Uid>, "client">;
export type PopulateOf<Uid extends KnownUid> = Populate<DocumentOf<Uid>, "client">;
export type NothingOf<Uid extends KnownUid> = Unpopulated<DocumentOf<Uid>, "client">;
export type Known<Uid extends KnownUid, Populated> = KnownPopulate<Populated, DocumentOf<Uid>, "client">;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const each = (options: unknown, change: (option: unknown) => unknown): unknown =>
  isObject(options)
    ? Object.fromEntries(Object.entries(options).map(([name, value]) => [name, change(value)]))
    : options;

/** `{}` asks for the link with all of its values, as `true` does. */
const option = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const written = shown(value);
  return queryString(written) === "" ? true : written;
};

const isEmpty = (fields: unknown): boolean => Array.isArray(fields) && fields.length === 0;

/**
 * Replaces `fields: []` and `{}` for a link in a query, or in the options of a populated link: query strings have no
 * empty lists and objects.
 */
export const shown = (query: object = {}): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (name === "populate" || name === "on") return [name, each(value, option)];
      return [name, name === "fields" && isEmpty(value) ? ["id"] : value];
    }),
  );
