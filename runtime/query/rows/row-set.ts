/** The result of a read: rows as the database returned them, together with their related rows. */
import type { Row } from "../../database/database.ts";
import type { GroupPlan, JoinPlan, RowLevel } from "../plan/plan.ts";

/** Parses the JSON columns (components) in the rows of one level, each once. */
export class JsonColumns {
  readonly #parsed = new Map<number, Map<Row, unknown>>();

  /** The parsed value in a column of a row. */
  value(row: Row, index: number): unknown {
    let column = this.#parsed.get(index);
    if (column === undefined) {
      column = new Map();
      this.#parsed.set(index, column);
    }
    let value = column.get(row);
    if (value === undefined) {
      const text = row[index];
      value = typeof text === "string" ? JSON.parse(text) : null;
      column.set(row, value);
    }
    return value;
  }
}

/** Rows of one level, with everything read for them. The level determines what to show. */
export interface RowSet {
  readonly level: RowLevel;
  readonly rows: readonly Row[];
  /** The locale to use for rows whose type has no locales. */
  readonly defaultLocale: string;
  /** The parsed components in the rows. */
  readonly components: JsonColumns;
  /** The rows of the level's groups, joins and links, in the same order; empty if there was nothing to read. */
  readonly groups: readonly Found<GroupPlan>[];
  readonly joins: readonly Found<JoinPlan>[];
  readonly links: readonly Links[];
}

/** A set without rows. */
export const emptySet = (level: RowLevel): RowSet => ({
  level,
  rows: [],
  defaultLocale: "",
  components: new JsonColumns(),
  groups: [],
  joins: [],
  links: [],
});

/** Rows read by key or by parent. */
export interface Found<Plan = GroupPlan | JoinPlan> {
  readonly plan: Plan;
  readonly set: RowSet;
  /** The positions in `set` of the rows for each key, list or parent; see {@link groupKey} and {@link listKey}. */
  readonly positions: ReadonlyMap<unknown, readonly number[]>;
}

/** A link to a document of any type. */
export interface TypedKey {
  readonly type: string;
  readonly documentId: string;
  /** The one version of the document that the link leads to, such as `draft en`. */
  readonly version?: string | undefined;
}

/** The links of each row, by its id. */
export type Links = ReadonlyMap<string, readonly TypedKey[]>;

/** The locale of a row; undefined if its type has none. */
export const localeOf = ({ localeIndex }: RowLevel, row: Row): string | undefined =>
  localeIndex === undefined ? undefined : String(row[localeIndex]);

/** The key of a row in a group: the id for a file; the documentId, with the locale if there is one, for a document. */
export const groupKey = ({ files, localized }: GroupPlan, key: unknown, locale: string | undefined): string =>
  localized && !files ? `${String(key)} ${locale}` : String(key);

/**
 * The key of a list: the list object itself. A single value in its place was stored before the attribute became a list.
 */
export const listKey = (list: unknown, locale: string): unknown =>
  Array.isArray(list) ? list : `${locale} ${String(list)}`;

/** The items of a list; a single value is a list of one, null an empty list. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
