/**
 * Writes JSON text. Everything that puts objects and lists together for an answer, of REST and of GraphQL, does it with these
 * functions, so that brackets and commas are written in one place.
 */
import type { AnswerPath, AnswerSize } from "../check/budget.ts";
import type { RowSet } from "../rows/row-set.ts";
import { encodeEntry, encoderOf } from "./encode.ts";
import type { Field, Output, Write } from "./output.ts";

/** State while one answer is written. */
export class Writing {
  /** How many errors stand beside what has been written so far. */
  faults = 0;
  readonly size: AnswerSize;
  readonly #rows = new Map<object, string[]>();

  constructor(size: AnswerSize) {
    this.size = size;
  }

  /** The text of a row to which several others may refer: each writer writes it once. */
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
    // An error belongs to one path only: below the next it is found again.
    if (this.faults === faultsBefore) texts[position] = text;
    return text;
  }
}

/** Composes the writer of objects that always have the same members. */
export const objectText = <State, Part>(fields: readonly Field<State, string, Part>[]): Write<State, string, Part> => {
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
 * @throws AnswerTooLargeError when the text becomes longer than the answer may be
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

/** JSON text as the REST API answers with. */
export const jsonOutput: Output<Writing, string> = {
  column: encoderOf,
  scalar: encodeEntry,
  plain: (value) => JSON.stringify(value),
  object: objectText,
  list: ({ size }, path, items, write) => listText(size, path, items, write),
  rows: (write) => (state, set, position) => state.row(write, set, position),
};
