/** Writes documents as JSON text for the REST API, directly from the rows. */
import type { Config } from "../../config/config.ts";
import { AnswerSize } from "../answer-size.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "../rows/row-set.ts";
import { type Format, listText, rowWriter, type WriteRow, Written } from "./writer.ts";

export type { Format } from "./writer.ts";

type Writers = Partial<Record<Format, WriteRow>>;

/** The writers composed for each plan; dropped together with the plan. */
const composed = new WeakMap<RowLevel, Writers>();

const writerOf = (level: RowLevel, format: Format): WriteRow => {
  let writers = composed.get(level);
  if (writers === undefined) {
    writers = {};
    composed.set(level, writers);
  }
  return (writers[format] ??= rowWriter(level, format));
};

/** The format of answers that are flat in every version, such as users. */
export const bareFormat = ({ rest }: Pick<Config, "rest">): Format => (rest.format === "v4" ? "old-flat" : "flat");

/** Options for writing an answer. */
export interface Writing {
  /** `flat` where nothing is said. */
  readonly format?: Format;
  /** The limit of the answer's length; none by default. */
  readonly size?: AnswerSize;
}

/**
 * Documents as the text of a JSON array.
 *
 * @throws AnswerTooLargeError when the text becomes longer than allowed
 */
export const jsonList = (documents: RowSet, { format = "flat", size = new AnswerSize() }: Writing = {}): string => {
  const write = writerOf(documents.level, format);
  const written = new Written(size);
  return listText(written, "", [...documents.rows.keys()], (position) => write(written, documents, position));
};

/**
 * The first document as JSON text.
 *
 * @throws AnswerTooLargeError when the text becomes longer than allowed
 */
export const jsonOf = (documents: RowSet, { format = "flat", size = new AnswerSize() }: Writing = {}): string => {
  const text = writerOf(documents.level, format)(new Written(size), documents, 0);
  size.check(text.length, "");
  return text;
};
