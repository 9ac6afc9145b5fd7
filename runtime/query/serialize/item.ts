/** Writes one row with its members. Texts are appended rather than joined, so that they are copied once, at the end. */
import type { Row } from "../../database/database.ts";
import type { ColumnWriter, RowLevel } from "../plan/plan.ts";

export const writeItem = (
  { identity, scalars, tail }: RowLevel,
  row: Row,
  members: readonly string[],
  nested: boolean,
): string => {
  let text = columns("", identity, row);
  if (nested) text += text === "" ? '"attributes":{' : ',"attributes":{';
  const head = nested ? text : "";
  text = columns(text, scalars, row, head);
  for (const member of members) text = append(text, member, head);
  if (tail !== "") text = append(text, tail, head);
  return nested ? `{${text}}}` : `{${text}}`;
};

/** Appends behind a comma, unless `text` is still what it began with. */
const append = (text: string, part: string, start: string): string =>
  text === start ? text + part : `${text},${part}`;

const columns = (text: string, writers: readonly ColumnWriter[], row: Row, start = text): string => {
  let written = text;
  for (const { prefix, index, encode } of writers) {
    written = append(written, prefix + encode(row[index] ?? null), start);
  }
  return written;
};

/** A JSON array of what `write` gives for every item. */
export const listText = <Item>(items: readonly Item[], write: (item: Item) => string): string => {
  let text = "";
  for (const item of items) text += text === "" ? write(item) : `,${write(item)}`;
  return `[${text}]`;
};
