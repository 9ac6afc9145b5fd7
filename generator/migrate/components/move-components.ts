/** Components in JSON columns: fields renamed, removed, retyped; single or repeated; zones. */
import { type Change, type Findings, pairedAttributes, type PairedType, pairedTypes } from "../change.ts";
import { quote } from "../sql.ts";
import type { Step } from "../step.ts";
import { leavingFields } from "./field-moves.ts";
import type { ValueStep } from "./json-change.ts";
import { type EntryChanges, entryChanges } from "./json-entries.ts";
import { canMake, madeBefore } from "./made-entries.ts";
import { moveFields } from "./move-fields.ts";
import { printFunction, printValue } from "./print-json.ts";
import { isJson, type Json } from "./stored-entries.ts";
import { whereHeld } from "./where-held.ts";

/** A column that holds components, and what becomes of it. */
interface Rewritten {
  readonly type: PairedType;
  readonly table: string;
  /** The column's name before. */
  readonly was: string;
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

type Moved = ReturnType<typeof moveFields>;

/** The columns whose values become others. */
const rewrittenIn = (change: Change, entries: EntryChanges, moved: Moved): readonly Rewritten[] =>
  pairedTypes(change).flatMap((type) => {
    const { pairing, before, after } = type;
    return pairedAttributes(pairing.attributes, before, after).flatMap(({ pair, before: was, after: is }) => {
      if (!isJson(was) || !isJson(is)) return [];
      const taken = leavingFields(moved.get(pairing.new) ?? [], pair.old);
      const steps = entries.attribute(was, is, { name: `${after.table}.${pair.new}`, table: before.table }, taken);
      return steps.length === 0
        ? []
        : [{ type, table: after.table, was: was.column, column: is.column, before: was, steps }];
    });
  });

const rewriteStep = (each: Rewritten, sql: string): Step => {
  const place = `${each.table}.${each.column}`;
  return {
    stage: "move",
    sql,
    does: `${isEmptied(each) ? "empties" : "rewrites"} ${place}`,
    breaks: true,
    ...(isEmptied(each) ? { loses: `every value of ${place}` } : {}),
  };
};

export const moveComponents = (findings: Findings, change: Change): void => {
  const { draft } = findings;
  const moved = moveFields(findings, change);
  const entries = entryChanges(change, draft);
  const rewritten = rewrittenIn(change, entries, moved);
  const functions = entries.all.map(printFunction);
  const columnsOf = (table: string): readonly Rewritten[] => rewritten.filter((each) => each.table === table);
  const isMade = (each: Rewritten): boolean =>
    !isEmptied(each) &&
    !moved.has(each.type.pairing.new) &&
    canMake(
      each.type,
      columnsOf(each.table).map(({ was, column }) => [was, column]),
    );
  const stage = rewritten.some(isMade) ? "prepare" : "create";
  for (const sql of functions) draft.steps.push({ stage, sql, does: "" });
  const known = { old: change.old, changes: entries.all, conditions: new Map() };
  const held = ({ before, column, steps }: Rewritten) =>
    whereHeld(known, before, steps).map((condition) => condition(quote(column)));
  for (const table of new Set(rewritten.map((each) => each.table))) {
    const columns = columnsOf(table);
    const areMade = columns.every(isMade);
    (areMade ? findings.made : findings.moved).add(table);
    if (areMade) {
      const values = columns.map((each) => ({
        column: each.column,
        value: printValue(each.steps, quote(each.column)),
        held: held(each),
      }));
      draft.steps.push(...madeBefore(table, values, functions));
    }
    const update = areMade ? "" : updateTable(table, columns, held);
    draft.steps.push(...columns.map((each, index) => rewriteStep(each, index === 0 ? update : "")));
  }
};
