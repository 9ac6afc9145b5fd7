/** Moves values between columns of a type and the components in other columns. */
import { type Change, type Findings, type PairedType, pairedTypes } from "../change.ts";
import { own } from "../own.ts";
import type { AttributeOutline } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { type Cell, connect, type Connection, isEmptied } from "./field-moves.ts";
import { typedToJson } from "./json-scalar.ts";
import { entryWith } from "./json-sql.ts";

/** How a component stores the value of a column. */
const columnToJson = (outline: AttributeOutline, column: string): string => {
  if (outline.kind === "component" || outline.kind === "dynamiczone") return column;
  return outline.kind === "scalar" ? typedToJson(outline.type, column) : `to_json(${column})`;
};

const jsonToColumn = (outline: AttributeOutline, value: string, type: string): string => {
  if (type === "json") return `nullif((${value})::text, 'null')::json`;
  const text = `${value} #>> '{}'`;
  if (outline.kind === "media") return `(select "id" from "files" where "id" = (${text})::integer)`;
  // A cast would truncate a text that is too long; an assignment refuses it.
  return /^(text|varchar)/.test(type) ? text : `(${text})::${type}`;
};

/** The columns of one type, before and after. */
const columnsOf = ({ pairing, before, after }: PairedType) => ({
  /** The column of an old attribute, under its present name. */
  old(name: string): string {
    const pair = pairing.attributes.find((each) => each.old === name);
    return (pair ? own(after.attributes, pair.new) : own(before.attributes, name))?.column ?? name;
  },
  new: (name: string): string => own(after.attributes, name)?.column ?? name,
  isNew: (name: string): boolean => !pairing.attributes.some((each) => each.new === name),
});

const setColumns = (
  { next }: Change,
  type: PairedType,
  connections: readonly Connection[],
): readonly (readonly [column: string, value: string])[] => {
  const columns = columnsOf(type);
  const table = own(next.tables, type.after.table);
  const source = ({ child, field, outline }: Cell): string =>
    child === undefined
      ? columnToJson(outline, quote(columns.old(field)))
      : `${quote(columns.old(child))} -> ${literal(field)}`;
  const moved = connections
    .filter(({ to }) => to.child === undefined)
    .map(({ from, to }): [string, string] => {
      const column = columns.new(to.field);
      return [column, jsonToColumn(to.outline, source(from), own(table?.columns, column)?.type ?? "text")];
    });
  const children = new Set(connections.flatMap(({ to }) => to.child ?? []));
  const entries = [...children].map((child): [string, string] => {
    const incoming = connections.filter(({ to }) => to.child === child);
    const fields = incoming.map(({ from, to }) => [to.field, source(from)] as const);
    const column = columns.new(child);
    return [column, entryWith(columns.isNew(child) ? "null" : quote(column), fields)];
  });
  return [...moved, ...entries];
};

/** Moves what leaves its column or component within a row; returns it by type, for the rest of the components. */
export const moveFields = (findings: Findings, change: Change): ReadonlyMap<string, readonly Connection[]> => {
  const moved = new Map<string, readonly Connection[]>();
  for (const type of pairedTypes(change)) {
    const { pairing, before, after } = type;
    const connections = connect(change, findings.draft, pairing, {
      before: before.attributes,
      after: after.attributes,
      isRow: true,
    });
    if (connections.length === 0) continue;
    moved.set(pairing.new, connections);
    const columns = columnsOf(type);
    const sources = new Set(connections.map(({ from }) => columns.old(from.child ?? from.field)));
    const sets = setColumns(change, type, connections).map(([column, value]) => `${quote(column)} = ${value}`);
    findings.draft.steps.push({
      stage: "move",
      sql: `update ${quote(after.table)}\nset ${sets.join(",\n")}\nwhere ${[...sources].map((each) => `${quote(each)} is not null`).join(" or ")};`,
      does: connections.map(({ from, to }) => `moves ${after.table}.${print(from)} to ${print(to)}`).join(", "),
      breaks: true,
    });
    findings.moved.add(after.table);
    for (const { from } of connections) {
      const attribute = before.attributes[from.child ?? from.field];
      const isDone =
        from.child === undefined || (attribute && isEmptied(connections, from.child, attribute, change.old.components));
      if (isDone) findings.settled.add(`${after.table}.${columns.old(from.child ?? from.field)}`);
    }
  }
  return moved;
};

const print = ({ child, field }: Cell): string => (child === undefined ? field : `${child}.${field}`);
