/** Estimates the size of an index from the average width of values, without reading the table. */
import type { TableEstimate } from "./tables.ts";

/** Bytes per entry besides its value: header, pointer, id and padding. */
const ENTRY = 24;
/** B-trees leave a tenth of each page free. */
const FILLED = 0.9;
/** Bytes per occurrence of a trigram. */
const OCCURRENCE = 4;
/** Longer texts repeat themselves: beyond this length, a quarter of the trigrams is new. */
const LONG = 200;

/** Undefined if the width of a column is unknown. */
const widths = ({ columns }: TableEstimate, names: readonly string[]): readonly number[] | undefined => {
  const known = names.map((name) => columns.get(name)?.width);
  return known.every((width) => width !== undefined) ? known : undefined;
};

/** The size in bytes of an index for sorting. */
export const orderedBytes = (table: TableEstimate, names: readonly string[]): number | undefined => {
  const known = widths(table, names);
  return known && (table.rows * known.reduce((sum, width) => sum + width, ENTRY)) / FILLED;
};

/** The approximate number of distinct trigrams in a text of this length. */
const different = (length: number): number => (length <= LONG ? length : LONG + (length - LONG) / 4);

/** The size in bytes of a trigram index. */
export const searchedBytes = (table: TableEstimate, names: readonly string[]): number | undefined => {
  const known = widths(table, names);
  return known && table.rows * known.reduce((sum, width) => sum + different(width) * OCCURRENCE, 0);
};
