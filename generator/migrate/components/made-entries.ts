/** Columns that hold components, rewritten before the transaction: it puts the values in place, and does late ones over. */
import { createHash } from "node:crypto";
import { identifier } from "../../../runtime/base/identifier.ts";
import { range, statementInBatches } from "../batches.ts";
import type { PairedType } from "../change.ts";
import { literal, quote } from "../sql.ts";
import type { Step } from "../step.ts";

/** A column with the SQL of its new value, and the conditions under which it has one. */
export interface MadeColumn {
  readonly column: string;
  readonly value: string;
  readonly held: readonly string[];
}

/** Whether the values can be made beforehand: rows stay what they are, and nothing is called otherwise. */
export const canMake = (
  { before, after }: PairedType,
  columns: readonly (readonly [was: string, is: string])[],
): boolean =>
  before.table === after.table &&
  before.draftAndPublish === after.draftAndPublish &&
  before.localized === after.localized &&
  columns.every(([was, is]) => was === is);

/** Another name for other values: what an earlier attempt at something else has made is not taken for these. */
const nameOf = (table: string, columns: readonly MadeColumn[], functions: readonly string[]): string => {
  const text = JSON.stringify([columns, functions]);
  return identifier("galley_made", createHash("sha256").update(text).digest("hex").slice(0, 8), table);
};

const indented = (text: string): string => text.replaceAll("\n", "\n    ");

const step = (stage: Step["stage"], sql: string): Step => ({ stage, sql, does: "" });

/**
 * The steps for one table.
 *
 * @param functions the SQL of the functions that the values call
 */
export const madeBefore = (table: string, columns: readonly MadeColumn[], functions: readonly string[]): Step[] => {
  const made = nameOf(table, columns, functions);
  const names = columns.map(({ column }) => quote(column)).join(", ");
  const held = columns.flatMap((each) => each.held).join("\n  or ");
  const sets = (print: (each: MadeColumn) => string): string => {
    const lines = columns.map((each) => `${quote(each.column)} = ${print(each)}`);
    return `${lines.length > 1 ? "\n  " : " "}${lines.join(",\n  ")}`;
  };
  const lot = [
    `insert into ${quote(made)} ("id", ${names})`,
    `select "id", ${columns.map(({ value }) => value).join(", ")}`,
    `from ${quote(table)}`,
    `where ${range(quote("id"))}`,
    `  and not exists (select from ${quote(made)} as done where done."id" = ${quote(table)}."id")`,
    `  and (${held.replaceAll("\n", "\n  ")})`,
    "on conflict do nothing;",
  ].join("\n");
  return [
    step(
      "fill",
      `select galley_prepare(${literal(quote(table))}, ${literal(made)}, ${columns.map(({ column }) => literal(column)).join(", ")});`,
    ),
    step("fill", statementInBatches(table, indented(lot))),
    step("lock", "set local galley.made = 'yes';"),
    step(
      "move",
      `update ${quote(table)}\nset${sets(({ column }) => `made.${quote(column)}`)}\nfrom ${quote(made)} as made\nwhere made."id" = ${quote(table)}."id" and not made."late";`,
    ),
    step(
      "move",
      `update ${quote(table)}\nset${sets(({ value }) => value)}\nwhere (${held})\n  and "id" in (select "id" from ${quote(made)} where "late");`,
    ),
    step("drop", `select galley_discard(${literal(quote(table))}, ${literal(made)});`),
  ];
};
