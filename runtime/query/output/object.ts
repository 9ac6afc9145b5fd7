/** Objects for code, with the same content as a REST answer, but without writing JSON. */
import { decodeEntry, decoderOf } from "./decode.ts";
import type { Output } from "./output.ts";

/** Each use gets a new object, even if several documents refer to the same row, because code may change it. */
export const objectOutput: Output<undefined, unknown> = {
  column: decoderOf,
  scalar: decodeEntry,
  plain: (value) => value,
  object: (fields) => (state, set, row, value) => {
    const object: Record<string, unknown> = {};
    for (const { name, write } of fields) object[name] = write(state, set, row, value);
    return object;
  },
  list: (_state, _path, items, write) => items.map(write),
  rows: (write) => (state, set, position) => write(state, set, set.rows[position] ?? [], undefined),
};
