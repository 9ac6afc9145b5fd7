/** Values of an enumeration that it does not have from a migration on. */
import type { Scalar } from "../convert.ts";
import { literal } from "../sql.ts";

export type Renamed = readonly (readonly [to: string, from: string])[];

/** What to do about them. */
export const RENAMED = `change them first, or say with "renamedValues" what they are called now`;

/** The values of before that are neither among those of now nor renamed to one; undefined where it was no enumeration. */
export const goneValues = (
  { enum: known }: Scalar,
  values: readonly string[],
  renamed: Renamed,
): readonly string[] | undefined =>
  known?.filter((value) => !values.includes(value) && !renamed.some(([, from]) => from === value));

/** Whether the SQL of a value, as text, is none of these, and not renamed to one. */
export const misfitsOf = (text: string, values: readonly string[], renamed: Renamed): string =>
  `${text} not in (${[...values, ...renamed.map(([, from]) => from)].map(literal).join(", ")})`;
