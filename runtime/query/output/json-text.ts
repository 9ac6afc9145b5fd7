/**
 * Writes JSON text. All code that assembles objects and lists for a response, in REST and GraphQL, uses these
 * functions, so that brackets and commas are written in one place.
 */
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import type { Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import type { RowSet } from "../rows/row-set.ts";
import type { AnswerPath, AnswerSize } from "./answer-size.ts";
import type { Field, Output, Write } from "./output.ts";

export type Encode = (value: Value) => string;

/**
 * What JSON escapes in texts: quotes, backslashes, control characters and lone surrogates. Most texts contain none of
 * them, and only need quotes.
 */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

const text: Encode = (value) => {
  if (value === null) return "null";
  return typeof value !== "string" || ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
};

/** NaN and infinity, which only SQL can store, are null in JSON. */
const number: Encode = (value) => {
  if (value === null) return "null";
  const parsed = typeof value === "number" ? value : Number(value);
  return Number.isFinite(parsed) ? String(parsed) : "null";
};

const boolean: Encode = (value) => (value === null ? "null" : String(value));

/** For values such as digits and dates, which need no escaping. */
const plain: Encode = (value) => (value === null ? "null" : `"${value}"`);

/** For JSON columns, whose value is already JSON text. */
const verbatim: Encode = (value) => (value === null ? "null" : String(value));

/** The time of an instant in PostgreSQL's format, with milliseconds. */
const timeOf = (printed: string): string =>
  printed.length > 20 ? printed.slice(11, 23).padEnd(12, "0") : `${printed.slice(11, 19)}.000`;

/** Converts an instant from PostgreSQL's format (`2026-01-02 03:04:05.6`) to ISO 8601 with milliseconds. */
export const isoInstant = (printed: string): string => `${printed.slice(0, 10)}T${timeOf(printed)}Z`;

/** The same in quotes: built in one step, because each row has several. */
const quotedInstant = (printed: string): string => `"${printed.slice(0, 10)}T${timeOf(printed)}Z"`;

const instant: Encode = (value) => (value === null ? "null" : quotedInstant(String(value)));

const epoch: Encode = (value) => (value === null ? "null" : `"${Date.parse(isoInstant(String(value)))}"`);

const ENCODERS: Readonly<Record<ScalarForm, Encode>> = {
  text,
  integer: number,
  number,
  decimal: number,
  digits: plain,
  boolean,
  date: plain,
  time: plain,
  instant,
  epoch,
  json: verbatim,
};

/** The function that writes a column's values as JSON. */
export const encoderOf = (type: ScalarType): Encode => ENCODERS[formOf(type)];

/** Writes a value from a component's JSON like the value of a column. Instants are stored there in ISO 8601. */
export const encodeEntry = (type: ScalarType, value: unknown): string => {
  if (value === undefined || value === null) return "null";
  const form = formOf(type);
  if (form === "digits") return JSON.stringify(String(value));
  return form === "epoch" ? `"${Date.parse(String(value))}"` : JSON.stringify(value);
};

/** State while one response is written. */
export class Writing {
  /** The number of errors in what has been written so far. */
  faults = 0;
  readonly size: AnswerSize;
  readonly #rows = new Map<object, string[]>();

  constructor(size: AnswerSize) {
    this.size = size;
  }

  /** The text of a row that several others may refer to: each writer writes it once. */
  row<State extends Writing>(this: State, write: Write<State, string>, set: RowSet, position: number): string {
    let texts = this.#rows.get(write);
    if (texts === undefined) {
      texts = [];
      this.#rows.set(write, texts);
    }
    const written = texts[position];
    if (written !== undefined) return written;
    const faultsBefore = this.faults;
    const text = write(this, set, set.rows[position] ?? [], undefined);
    // Errors belong to one path, so a text with errors is not reused: the next path reports its own.
    if (this.faults === faultsBefore) texts[position] = text;
    return text;
  }
}

/** Composes the writer of objects some of which lack members. */
const partialText = <State, Part>(fields: readonly Field<State, string, Part>[]): Write<State, string, Part> => {
  const members = fields.map((field) => ({ ...field, head: `${JSON.stringify(field.name)}:` }));
  return (state, set, row, value) => {
    let text = "";
    for (const { head, write, isOmitted } of members) {
      if (isOmitted?.(set, row, value)) continue;
      text += (text === "" ? "" : ",") + head + write(state, set, row, value);
    }
    return `{${text}}`;
  };
};

/** Composes the writer of objects. Nearly all of them always have the same members. */
export const objectText = <State, Part>(fields: readonly Field<State, string, Part>[]): Write<State, string, Part> => {
  if (fields.some(({ isOmitted }) => isOmitted !== undefined)) return partialText(fields);
  const members = fields.map(({ name, write }, index) => ({
    head: `${index === 0 ? "" : ","}${JSON.stringify(name)}:`,
    write,
  }));
  return (state, set, row, value) => {
    let text = "{";
    for (const { head, write } of members) text += head + write(state, set, row, value);
    return `${text}}`;
  };
};

/**
 * Writes a list.
 *
 * @throws AnswerTooLargeError when the text becomes longer than the response may be
 */
export const listText = <Item>(
  size: AnswerSize,
  path: AnswerPath,
  items: readonly Item[],
  write: (item: Item, index: number) => string,
): string => {
  let text = "";
  let index = 0;
  for (const item of items) {
    text += (index === 0 ? "" : ",") + write(item, index);
    size.check(text.length, path);
    index += 1;
  }
  return `[${text}]`;
};

/** JSON text in the form of a REST response. */
export const jsonOutput: Output<Writing, string> = {
  column: encoderOf,
  scalar: encodeEntry,
  plain: (value) => JSON.stringify(value),
  object: objectText,
  list: ({ size }, path, items, write) => listText(size, path, items, write),
  rows: (write) => (state, set, position) => state.row(write, set, position),
};
