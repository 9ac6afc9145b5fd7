/** What reading returns: rows as the database sent them, and beside them the rows that complete them. */
import type { Row } from "../../database/database.ts";
import type { GroupPlan, JoinPlan, RowLevel } from "../plan/plan.ts";
import { JsonColumns } from "./json-columns.ts";

/** Rows of one level, and everything that was read to complete them. The level says what is shown of them. */
export interface RowSet {
  readonly level: RowLevel;
  readonly rows: readonly Row[];
  /** The locale of rows whose type has none. */
  readonly defaultLocale: string;
  /** The components in the rows. */
  readonly components: JsonColumns;
  /** What the groups, joins and links of the level led to, in their order. Empty where there was nothing to complete. */
  readonly groups: readonly GroupRows[];
  readonly joins: readonly JoinRows[];
  readonly links: readonly Links[];
}

/** No rows. */
export const emptySet = (level: RowLevel): RowSet => ({
  level,
  rows: [],
  defaultLocale: "",
  components: new JsonColumns(),
  groups: [],
  joins: [],
  links: [],
});

/** Rows that were read by their keys. */
export interface GroupRows {
  readonly plan: GroupPlan;
  /** Undefined when there was no key to read by. */
  readonly set: RowSet | undefined;
  /** Where the row of a key stands in `set`; see {@link groupKey}. */
  readonly positions: ReadonlyMap<string, number>;
  /** Where the part of a list that is shown stands in `set`, for groups that read no more; see {@link listKey}. */
  readonly parts: ReadonlyMap<unknown, readonly number[]>;
}

/** Rows that were read by their parents. */
export interface JoinRows {
  readonly plan: JoinPlan;
  readonly set: RowSet;
  /** Where the rows of a parent stand in `set`. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** A link to a document of any type. */
export interface TypedKey {
  readonly type: string;
  readonly documentId: string;
}

/** The links of each row, by its id. */
export type Links = ReadonlyMap<string, readonly TypedKey[]>;

/** The locale of a row; undefined when its type has none. */
export const localeOf = ({ localeIndex }: RowLevel, row: Row): string | undefined =>
  localeIndex === undefined ? undefined : String(row[localeIndex]);

/** What a row of a group is found by: a file by its id, a document by its documentId, in one of its locales. */
export const groupKey = ({ files, localized }: GroupPlan, key: unknown, locale: string | undefined): string =>
  localized && !files ? `${String(key)} ${locale}` : String(key);

/** What a list of keys is known by: itself; what stands in its place was written when the attribute was no list. */
export const listKey = (list: unknown, locale: string): unknown =>
  Array.isArray(list) ? list : `${locale} ${String(list)}`;

/** The elements of a list; a single value is a list of one, nothing is empty. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
