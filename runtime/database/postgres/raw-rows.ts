/** Reads the values in rows as they arrived: `Value`s as `database.ts` describes them. */
import type { Row, Value } from "../database.ts";
import type { RawRows } from "./arrivals.ts";
import { removeHoles } from "./driver-query.ts";
import { BOOLEAN, NUMBERS } from "./types.ts";

/** A column of an answer. */
interface Column {
  /** The OID of its type. */
  readonly type: number;
}

/** What the driver answers a statement with. */
export interface DriverAnswer extends ReadonlyArray<Row> {
  readonly columns: readonly Column[];
}

type Read = (text: string) => Value;

const readText: Read = (text) => text;
const readNumber: Read = Number;
const readBoolean: Read = (text) => text === "t";

const readerOf = ({ type }: Column): Read =>
  NUMBERS.has(type) ? readNumber : type === BOOLEAN ? readBoolean : readText;

/** Bytes of a row's message before its first value: type, length, and number of values. */
const HEAD = 7;

/** The number in four bytes. */
const numberAt = (bytes: Buffer, at: number): number =>
  ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);

const rowAt = (bytes: Buffer, start: number, readers: readonly Read[]): Row => {
  let at = start + HEAD;
  return readers.map((read) => {
    const length = numberAt(bytes, at);
    at += 4;
    if (length < 0) return null;
    const text = bytes.toString("utf8", at, at + length);
    at += length;
    return read(text);
  });
};

/** The values of all rows. */
const readRows = (raw: RawRows, columns: readonly Column[]): readonly Row[] => {
  const rows: Row[] = [];
  const readers = columns.map(readerOf);
  for (const bytes of raw) {
    for (let at = 0; at < bytes.length; at += 1 + numberAt(bytes, at + 1)) rows.push(rowAt(bytes, at, readers));
  }
  return rows;
};

/** The rows of an answer: those that came apart from it, or else those that the driver has read. */
export const rowsOf = (answer: DriverAnswer, raw: RawRows | undefined): readonly Row[] => {
  if (raw !== undefined) return raw.length === 0 ? [] : readRows(raw, answer.columns);
  removeHoles(answer);
  return answer;
};
