/** The writer of the REST API: documents as JSON text, in one go. */
import type { Config } from "../../config/config.ts";
import { AnswerSize } from "../answer-size.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "../rows/row-set.ts";
import { type Format, listText, rowWriter, type WriteRow, Written } from "./writer.ts";

export type { Format } from "./writer.ts";

type Writers = Partial<Record<Format, WriteRow>>;

/** What was composed for plans, as long as these are kept. */
const composed = new WeakMap<RowLevel, Writers>();

const writerOf = (level: RowLevel, format: Format): WriteRow => {
  let writers = composed.get(level);
  if (writers === undefined) {
    writers = {};
    composed.set(level, writers);
  }
  return (writers[format] ??= rowWriter(level, format));
};

/** The format of what has never been nested, such as users. */
export const bareFormat = ({ rest }: Pick<Config, "rest">): Format => (rest.format === "v4" ? "old-flat" : "flat");

/** How an answer is written. */
export interface Writing {
  /** `flat` where nothing is said. */
  readonly format?: Format;
  /** What it may not become larger than; where there is none, it may be of any size. */
  readonly size?: AnswerSize;
}

/**
 * Documents as the text of a JSON array.
 *
 * @throws AnswerTooLargeError when it becomes longer than it may
 */
export const jsonList = (documents: RowSet, { format = "flat", size = new AnswerSize() }: Writing = {}): string => {
  const write = writerOf(documents.level, format);
  const written = new Written(size);
  return listText(written, "", [...documents.rows.keys()], (position) => write(written, documents, position));
};

/**
 * The first of the documents as JSON text.
 *
 * @throws AnswerTooLargeError when it becomes longer than it may
 */
export const jsonOf = (documents: RowSet, { format = "flat", size = new AnswerSize() }: Writing = {}): string => {
  const text = writerOf(documents.level, format)(new Written(size), documents, 0);
  size.check(text.length, "");
  return text;
};
