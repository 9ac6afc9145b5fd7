/** The rows that a caller's rules leave, as a part of other statements: of those of writes. */
import type { SQL } from "drizzle-orm";
import type { Values } from "../database/statement.ts";
import type { Uid } from "../schema/content-type.ts";
import type { BoundCondition, Known } from "./row-conditions.ts";
import { rowsMeeting } from "./sql/readable.ts";

export interface RowLimit {
  /** Equal for equal texts. */
  readonly key: string;
  /** Selects the rows, with all columns of the table. */
  readonly rows: SQL;
  readonly values: Values;
}

/** Limits the rows of a type by a condition, if there is one. */
export const limitBy = (
  { config, revealing }: Known,
  uid: Uid,
  bound: BoundCondition | undefined,
): RowLimit | undefined => {
  if (!bound) return undefined;
  const { condition, parameters } = bound;
  const values = parameters.map((value, index) => [`value:${index}`, value] as const);
  return {
    key: JSON.stringify(condition),
    rows: rowsMeeting(revealing, uid, "either", condition),
    values: { ...Object.fromEntries(values), defaultLocale: config.locales.default },
  };
};
