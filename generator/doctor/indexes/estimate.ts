/** How large an index will be, from the average width of values. Nothing is read for it. */
import type { TableEstimate } from "./tables.ts";

/** Bytes of an entry besides its value: header, pointer, id and padding. */
const ENTRY = 24;
/** B-trees leave a tenth of their pages free. */
const FILLED = 0.9;
/** Bytes that one occurrence of three characters takes. */
const OCCURRENCE = 4;
/** Longer texts repeat themselves: of what is beyond this, a quarter is new. */
const LONG = 200;

/** Undefined where the width of a column is not known. */
const widths = ({ columns }: TableEstimate, names: readonly string[]): readonly number[] | undefined => {
  const known = names.map((name) => columns.get(name)?.width);
  return known.every((width) => width !== undefined) ? known : undefined;
};

/** The size in bytes of an index for orders. */
export const orderedBytes = (table: TableEstimate, names: readonly string[]): number | undefined => {
  const known = widths(table, names);
  return known && (table.rows * known.reduce((sum, width) => sum + width, ENTRY)) / FILLED;
};

/** About how many different groups of three characters a text of this length has. */
const different = (length: number): number => (length <= LONG ? length : LONG + (length - LONG) / 4);

/** The size in bytes of an index for parts of words. */
export const searchedBytes = (table: TableEstimate, names: readonly string[]): number | undefined => {
  const known = widths(table, names);
  return known && table.rows * known.reduce((sum, width) => sum + different(width) * OCCURRENCE, 0);
};
