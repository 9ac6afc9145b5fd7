/** The writer of the REST API: documents as JSON text, in one go. */
import { AnswerSize } from "../answer-size.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "../rows/row-set.ts";
import { listText, rowWriter, type WriteRow, Written } from "./writer.ts";

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

/** How an answer is written. */
export interface Writing {
  /** The nested response format (`Strapi-Response-Format: v4`). */
  readonly nested?: boolean;
  /** What it may not become larger than; where there is none, it may be of any size. */
  readonly size?: AnswerSize;
}

/**
 * Documents as the text of a JSON array.
 *
 * @throws AnswerTooLargeError when it becomes longer than it may
 */
export const jsonList = (documents: RowSet, { nested = false, size = new AnswerSize() }: Writing = {}): string => {
  const write = writerOf(documents.level, nested);
  const written = new Written(size);
  return listText(written, "", [...documents.rows.keys()], (position) => write(written, documents, position));
};

/**
 * The first of the documents as JSON text.
 *
 * @throws AnswerTooLargeError when it becomes longer than it may
 */
export const jsonOf = (documents: RowSet, { nested = false, size = new AnswerSize() }: Writing = {}): string => {
  const text = writerOf(documents.level, nested)(new Written(size), documents, 0);
  size.check(text.length, "");
  return text;
};
