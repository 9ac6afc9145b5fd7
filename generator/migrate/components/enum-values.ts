/** Enumeration values that a migration removes. */
import type { Scalar } from "../convert.ts";
import { literal } from "../sql.ts";

export type Renamed = readonly (readonly [to: string, from: string])[];

/** What to do about them. */
export const RENAMED = `change them first, or say with "renamedValues" what they are called now`;

/** The old values that are neither kept nor renamed; undefined if it was no enumeration. */
export const goneValues = (
  { enum: known }: Scalar,
  values: readonly string[],
  renamed: Renamed,
): readonly string[] | undefined =>
  known?.filter((value) => !values.includes(value) && !renamed.some(([, from]) => from === value));

/** Whether the SQL of a value, as text, is neither one of these nor renamed to one. */
export const misfitsOf = (text: string, values: readonly string[], renamed: Renamed): string =>
  `${text} not in (${[...values, ...renamed.map(([, from]) => from)].map(literal).join(", ")})`;
