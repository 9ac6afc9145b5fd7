/** Turns rows into answers of the REST API, and into objects for code. */
import type { Config } from "../../config/config.ts";
import { AnswerSize } from "../check/budget.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "../rows/row-set.ts";
import { documentWriter, type Format } from "./document.ts";
import { jsonOutput, listText, Writing } from "./json-text.ts";
import { objectOutput } from "./object.ts";
import type { Write } from "./output.ts";

/** A document as an object of what the query shows. */
export type DocumentObject = Readonly<Record<string, unknown>>;

/** Remembers the writer that is composed for a plan for as long as there is the plan. */
const perLevel = <Writer>(compose: (level: RowLevel) => Writer): ((level: RowLevel) => Writer) => {
  const writers = new WeakMap<RowLevel, Writer>();
  return (level) => {
    let writer = writers.get(level);
    if (writer === undefined) {
      writer = compose(level);
      writers.set(level, writer);
    }
    return writer;
  };
};

const textWriter = (format: Format) =>
  perLevel((level): Write<Writing, string> => documentWriter({ output: jsonOutput, format, path: "" }, level));

const textWriters: Readonly<Record<Format, ReturnType<typeof textWriter>>> = {
  flat: textWriter("flat"),
  nested: textWriter("nested"),
  old: textWriter("old"),
  "old-flat": textWriter("old-flat"),
};

const objectWriter = perLevel((level) => documentWriter({ output: objectOutput, format: "flat", path: "" }, level));

/** The format of answers that are flat in every version, such as users. */
export const bareFormat = ({ rest }: Pick<Config, "rest">): Format => (rest.format === "v4" ? "old-flat" : "flat");

/** Options for writing an answer. */
interface JsonOptions {
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
export const jsonList = (documents: RowSet, { format = "flat", size = new AnswerSize() }: JsonOptions = {}): string => {
  const write = textWriters[format](documents.level);
  const writing = new Writing(size);
  return listText(size, "", documents.rows, (row) => write(writing, documents, row, undefined));
};

/**
 * The first document as JSON text.
 *
 * @throws AnswerTooLargeError when the text becomes longer than allowed
 */
export const jsonOf = (documents: RowSet, { format = "flat", size = new AnswerSize() }: JsonOptions = {}): string => {
  const text = textWriters[format](documents.level)(new Writing(size), documents, documents.rows[0] ?? [], undefined);
  size.check(text.length, "");
  return text;
};

/** Documents as objects. */
export const objectsOf = (documents: RowSet): DocumentObject[] => {
  const write = objectWriter(documents.level);
  return documents.rows.map((row) => Object(write(undefined, documents, row, undefined)));
};

/** The first of the documents as an object. */
export const objectOf = (documents: RowSet): DocumentObject =>
  Object(objectWriter(documents.level)(undefined, documents, documents.rows[0] ?? [], undefined));
