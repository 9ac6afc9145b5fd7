/** The writer of the REST API: documents as JSON text, in one go. */
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "../rows/row-set.ts";
import { listText, rowWriter, type WriteRow } from "./writer.ts";

interface Writers {
  flat?: WriteRow;
  nested?: WriteRow;
}

/** What was composed for plans, as long as these are kept. */
const composed = new WeakMap<RowLevel, Writers>();

const writerOf = (level: RowLevel, nested: boolean): WriteRow => {
  let writers = composed.get(level);
  if (writers === undefined) {
    writers = {};
    composed.set(level, writers);
  }
  return nested ? (writers.nested ??= rowWriter(level, true)) : (writers.flat ??= rowWriter(level, false));
};

/**
 * Documents as the text of a JSON array.
 *
 * @param nested the nested response format (`Strapi-Response-Format: v4`)
 */
export const jsonList = (documents: RowSet, nested = false): string => {
  const write = writerOf(documents.level, nested);
  const written = new Map<RowSet, string[]>();
  return listText([...documents.rows.keys()], (position) => write(written, documents, position));
};

/** The first of the documents as JSON text. */
export const jsonOf = (documents: RowSet, nested = false): string =>
  writerOf(documents.level, nested)(new Map(), documents, 0);
