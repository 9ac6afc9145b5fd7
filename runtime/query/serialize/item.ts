/** Writes one row with its members. */
import type { Row } from "../../database/database.ts";
import type { ColumnWriter, RowLevel } from "../plan/plan.ts";

/** Members that are undefined are left out. */
export const writeItem = (
  { identity, scalars, tail }: RowLevel,
  row: Row,
  members: readonly (string | undefined)[],
  nested: boolean,
): string => {
  const head = join(columns(identity, row));
  const rest = columns(scalars, row);
  for (const member of members) if (member !== undefined) rest.push(member);
  if (tail !== "") rest.push(tail);
  const body = join(rest);
  if (nested) return `{${head}${head === "" ? "" : ","}"attributes":{${body}}}`;
  return `{${head}${head !== "" && body !== "" ? "," : ""}${body}}`;
};

const columns = (writers: readonly ColumnWriter[], row: Row): string[] =>
  writers.map(({ prefix, index, encode }) => prefix + encode(row[index] ?? null));

const join = (parts: readonly string[]): string => parts.join(",");
