/** Components in JSON columns: fields renamed, removed, retyped; single or repeated; zones. */
import { type Change, type Findings, pairedAttributes, pairedTypes } from "./change.ts";
import { leavingFields } from "./field-moves.ts";
import type { ValueStep } from "./json-change.ts";
import { entryChanges } from "./json-entries.ts";
import { isJson, type Json } from "./json-values.ts";
import { moveFields } from "./move-fields.ts";
import { printFunction, printValue } from "./print-json.ts";
import { quote } from "./sql.ts";
import { whereHeld } from "./where-held.ts";

/** A column that holds components, and what becomes of it. */
interface Rewritten {
  readonly table: string;
  readonly column: string;
  readonly before: Json;
  readonly steps: readonly ValueStep[];
}

const isEmptied = ({ steps }: Rewritten): boolean => steps.some(({ kind }) => kind === "empty");

/** Rows are written once, however many of their columns change, and only those that hold something that does. */
const updateTable = (
  table: string,
  columns: readonly Rewritten[],
  held: (column: Rewritten) => readonly string[],
): string => {
  const sets = columns.map(({ column, steps }) => `${quote(column)} = ${printValue(steps, quote(column))}`);
  const separator = sets.length > 1 ? "\n  " : " ";
  return `update ${quote(table)}\nset${separator}${sets.join(",\n  ")}\nwhere ${columns.flatMap(held).join("\n  or ")};`;
};

export const moveComponents = (findings: Findings, change: Change): void => {
  const { draft } = findings;
  const moved = moveFields(findings, change);
  const entries = entryChanges(change, draft);
  const rewritten = pairedTypes(change).flatMap(({ pairing, before, after }): Rewritten[] =>
    pairedAttributes(pairing.attributes, before, after).flatMap(({ pair, before: was, after: is }) => {
      if (!isJson(was) || !isJson(is)) return [];
      const taken = leavingFields(moved.get(pairing.new) ?? [], pair.old);
      const steps = entries.attribute(was, is, `${after.table}.${pair.new}`, taken);
      return steps.length === 0 ? [] : [{ table: after.table, column: is.column, before: was, steps }];
    }),
  );
  for (const each of entries.all) draft.steps.push({ stage: "create", sql: printFunction(each), does: "" });
  for (const table of new Set(rewritten.map((each) => each.table))) {
    const columns = rewritten.filter((each) => each.table === table);
    const known = { old: change.old, changes: entries.all };
    const held = ({ before, column, steps }: Rewritten) => whereHeld(known, before, quote(column), steps);
    findings.moved.add(table);
    for (const [index, each] of columns.entries()) {
      const place = `${table}.${each.column}`;
      draft.steps.push({
        stage: "move",
        sql: index === 0 ? updateTable(table, columns, held) : "",
        does: `${isEmptied(each) ? "empties" : "rewrites"} ${place}`,
        breaks: true,
        ...(isEmptied(each) ? { loses: `every value of ${place}` } : {}),
      });
    }
  }
};
