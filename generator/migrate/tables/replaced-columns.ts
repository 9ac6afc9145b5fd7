/**
 * Columns whose values all change: before the transaction, another column beside each is filled in batches of some
 * thousand rows, and a trigger computes its value for concurrent writes. The transaction swaps it in.
 */
import { createHash } from "node:crypto";
import { identifier } from "../../../runtime/base/identifier.ts";
import { range, statementInBatches } from "../batches.ts";
import { type Change, pairedTypes } from "../change.ts";
import { isJson } from "../components/stored-entries.ts";
import { expandedIn } from "../names/expand.ts";
import { own } from "../own.ts";
import type { AttributeOutline, Index, Table } from "../snapshot.ts";
import { createIndex, literal, quote } from "../sql.ts";
import type { Stage, Step } from "../step.ts";

/** A column with its new type, and the SQL of its new value. */
export interface Replaced {
  readonly column: string;
  readonly type: string;
  readonly value: string;
  /** Whether the expression is hand-written and may turn a value into null. */
  readonly isWritten?: boolean;
}

type Value = Extract<AttributeOutline, { kind: "scalar" | "component" | "dynamiczone" }>;

const isValue = (attribute: AttributeOutline): attribute is Value => attribute.kind === "scalar" || isJson(attribute);

/** Columns, as `table.column`, that keep their name while rows keep their meaning. */
export const replaceableColumns = (change: Change): ReadonlySet<string> => {
  const { old, next } = change;
  const halfRenamed = [old, next].flatMap((snapshot) => expandedIn(snapshot).columns);
  return new Set(
    pairedTypes(change).flatMap(({ before, after, pairing }) => {
      const staysSame =
        before.table === after.table &&
        before.draftAndPublish === after.draftAndPublish &&
        before.localized === after.localized &&
        !halfRenamed.some(({ table }) => table === after.table);
      if (!staysSame) return [];
      return pairing.attributes.flatMap((pair) => {
        const [was, is] = [own(before.attributes, pair.old), own(after.attributes, pair.new)];
        if (!was || !is || !isValue(was) || !isValue(is) || was.column !== is.column) return [];
        const columns = [old, next].map(({ tables }) => own(own(tables, after.table)?.columns, is.column));
        const isPlain = columns.every((each) => each && !each.notNull && each.default === undefined);
        return isPlain ? [`${after.table}.${is.column}`] : [];
      });
    }),
  );
};

/** Unchanged indexes that mention a column. */
const indexesOn = (from: Table, to: Table, column: string): readonly (readonly [string, Index])[] =>
  Object.entries(to.indexes).filter(([name, index]) => {
    const mentions = [...index.on, index.where ?? ""].some((text) => text.includes(quote(column)));
    return mentions && JSON.stringify(own(from.indexes, name)) === JSON.stringify(index);
  });

const step = (stage: Stage, sql: string): Step => ({ stage, sql });

/** The triggers ignore rows that the transaction itself writes. */
export const UNTRIGGERED = step("lock", "set local galley.made = 'yes';");

/** Fills a batch of some thousand rows. */
const lotOf = (name: string, sets: readonly string[], conditions: readonly string[]): string =>
  [
    "perform set_config('galley.made', 'yes', true);",
    `update ${quote(name)}`,
    `set ${sets.join(",\n      ")}`,
    `where ${range(quote("id"))}`,
    `  and (${conditions.join("\n      or ")});`,
  ].join("\n    ");

/** Which rows lack a value in the new column, though they should get one. */
const missingIn = (next: string, { column, value, isWritten }: Replaced): string => {
  const isThere = `${quote(column)} is not null`;
  return `${next} is null and ${isWritten ? `(${isThere} or (${value}) is not null)` : isThere}`;
};

/** The steps for the columns of one table. */
export const replaceColumns = (name: string, from: Table, to: Table, columns: readonly Replaced[]): Step[] => {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, columns]))
    .digest("hex")
    .slice(0, 8);
  const made = (each: string): string => identifier("galley_next", hash, each);
  const names = new Map(columns.map(({ column }) => [quote(column), quote(made(column))]));
  const beside = (text: string): string => text.replaceAll(/"(?:[^"]|"")+"/g, (each) => names.get(each) ?? each);
  const missing = (each: Replaced): string => missingIn(quote(made(each.column)), each);
  const sets = columns.map(({ column, value }) => `${quote(made(column))} = (${value})`);
  const indexes = new Map(columns.flatMap(({ column }) => indexesOn(from, to, column)));
  return [
    ...columns.map(({ column, type, value }) =>
      step(
        "fill",
        `select galley_follow(${literal(quote(name))}, ${literal(made(column))}, ${literal(type)}, ${literal(value)});`,
      ),
    ),
    step("fill", statementInBatches(name, lotOf(name, sets, columns.map(missing)))),
    ...[...indexes].flatMap(([index, { on, where, ...rest }]) => {
      const definition = { ...rest, on: on.map(beside), ...(where === undefined ? {} : { where: beside(where) }) };
      return [
        step("fill", `drop index concurrently if exists ${quote(made(index))};`),
        step("fill", `${createIndex(made(index), name, definition, true)};`),
      ];
    }),
    ...columns.map((each) =>
      step("move", `update ${quote(name)}\nset ${quote(made(each.column))} = (${each.value})\nwhere ${missing(each)};`),
    ),
    ...columns.map(({ column, type, value }) => {
      const texts = [quote(name), column, made(column), type, value, ...indexes.keys()];
      return step("alter", `select galley_take(${texts.map(literal).join(", ")});`);
    }),
    ...[...indexes.keys()].map((index) =>
      step("alter", `alter index if exists ${quote(made(index))} rename to ${quote(index)};`),
    ),
  ];
};
