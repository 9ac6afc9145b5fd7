import type { Row } from "../../database/database.ts";

/** Parses the JSON columns (components) in the rows of one level, each once. */
export class JsonColumns {
  readonly #parsed = new Map<number, Map<Row, unknown>>();

  /** The parsed value in a column of a row. */
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
