import type { Row } from "../../database/database.ts";

/** The components in the rows of one level, which stand there as JSON: parsed once. */
export class JsonColumns {
  readonly #parsed = new Map<number, Map<Row, unknown>>();

  /** What stands in a column of a row. */
  value(row: Row, index: number): unknown {
    let column = this.#parsed.get(index);
    if (column === undefined) {
      column = new Map();
      this.#parsed.set(index, column);
    }
    let value = column.get(row);
    if (value === undefined) {
      const text = row[index];
      value = typeof text === "string" ? JSON.parse(text) : null;
      column.set(row, value);
    }
    return value;
  }
}
