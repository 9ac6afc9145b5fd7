/** Components in JSON columns: fields renamed, removed, retyped; single or repeated; zones. */
import { type Change, continuing, type Findings } from "../change.ts";
import { mayStop, moveHistory } from "../moves/move-history.ts";
import { quote } from "../sql.ts";
import type { Stage, Step } from "../step.ts";
import { leavingFields } from "./field-moves.ts";
import type { ValueStep } from "./json-change.ts";
import { EntryChanges } from "./json-entries.ts";
import { moveFields } from "./move-fields.ts";
import { EntryPrinter } from "./print-json.ts";
import { isJson } from "./stored-entries.ts";

/** A column that holds components, and the changes to it. */
type Rewritten = ReturnType<typeof rewrittenIn>[number];

const placeOf = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  `${table}.${column}`;

const isEmptied = (steps: readonly ValueStep[]): boolean => steps.some(({ kind }) => kind === "empty");

/** Writes each row once, however many of its columns change. */
const updateTable = (table: string, columns: readonly Rewritten[], printer: EntryPrinter): string => {
  const sets = columns.map(({ column, steps }) => `${quote(column)} = ${printer.value(steps, quote(column))}`);
  const separator = sets.length > 1 ? "\n  " : " ";
  const held = columns.map(({ column }) => `json_typeof(${quote(column)}) <> 'null'`);
  return `update ${quote(table)}\nset${separator}${sets.join(",\n  ")}\nwhere ${held.join("\n  or ")};`;
};

type Moved = ReturnType<typeof moveFields>;

/** The columns whose values change. */
const rewrittenIn = (change: Change, entries: EntryChanges, moved: Moved, { replaceable }: Findings) =>
  continuing(change).flatMap(({ pairing, before, after, pair, was, is }) => {
    if (!isJson(was) || !isJson(is)) return [];
    const connections = moved.get(pairing.new);
    const taken = leavingFields(connections ?? [], pair.old);
    const steps = entries.attribute(was, is, { name: `${after.table}.${pair.new}`, table: before.table }, taken);
    if (steps.length === 0) return [];
    const place = { table: after.table, column: is.column };
    /** Whether another column may replace it. */
    const isReplaced = connections === undefined && !isEmptied(steps) && replaceable.has(placeOf(place));
    return [{ uid: pairing.new, name: pair.old, ...place, steps, isReplaced }];
  });

const rewriteStep = (each: Rewritten, sql: string): Step => {
  const place = placeOf(each);
  return {
    stage: "move",
    sql,
    does: `${isEmptied(each.steps) ? "empties" : "rewrites"} ${place}`,
    breaks: true,
    loses: isEmptied(each.steps) ? `every value of ${place}` : undefined,
  };
};

export const moveComponents = (findings: Findings, change: Change): void => {
  const { draft, moved, revalued } = findings;
  const entries = new EntryChanges(change, draft);
  const rewritten = rewrittenIn(change, entries, moveFields(findings, change), findings);
  const printer = new EntryPrinter(entries.all);
  const values = rewritten.map(({ uid, name, steps }) => ({
    uid,
    name,
    value: (sql: string) => printer.value(steps, sql),
  }));
  moveHistory(findings, change, entries.all.some(mayStop) ? [] : values);
  const push = (stage: Stage, sql: string) => draft.steps.push({ stage, sql });
  for (const sql of printer.creations())
    push(rewritten.some(({ isReplaced }) => isReplaced) ? "prepare" : "create", sql);
  for (const sql of printer.removals()) push("drop", sql);
  for (const table of new Set(rewritten.map((each) => each.table))) {
    const columns = rewritten.filter((each) => each.table === table);
    for (const each of columns.filter(({ isReplaced }) => isReplaced)) {
      revalued.set(placeOf(each), { when: "after", using: (value) => printer.value(each.steps, value) });
      draft.steps.push(rewriteStep(each, ""));
    }
    const updated = columns.filter(({ isReplaced }) => !isReplaced);
    if (updated.length === 0) continue;
    moved.add(table);
    const update = updateTable(table, updated, printer);
    draft.steps.push(...updated.map((each, index) => rewriteStep(each, index === 0 ? update : "")));
  }
};
