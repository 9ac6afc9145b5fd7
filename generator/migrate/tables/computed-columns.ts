/** Columns that a trigger keeps equal to an expression over others of their row. */
import { computedInBatches } from "../batches.ts";
import type { Findings } from "../change.ts";
import { own } from "../own.ts";
import type { Table } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import type { Draft } from "../step.ts";
import { UNTRIGGERED } from "./replaced-columns.ts";

const keep = (table: string, key: string, computed: string | undefined): string =>
  `select galley_keep(${[quote(table), key].map(literal).join(", ")}, ${computed === undefined ? "null" : literal(computed)});`;

/** Whether rows that are there need their values computed anew. */
const isOutdated = (
  draft: Draft,
  name: string,
  [from, to]: readonly [Table, Table],
  key: string,
  { revalued }: Findings,
) => {
  const computed = to.columns[key]?.computed;
  if (own(from.columns, key)?.computed !== computed) return true;
  const isChanged = Object.entries(to.columns).some(
    ([column, { type }]) =>
      computed?.includes(quote(column)) === true &&
      (own(from.columns, column)?.type !== type || revalued.has(`${name}.${column}`)),
  );
  return (
    isChanged ||
    draft.steps.some(({ stage, sql, removes }) => stage === "move" && !removes && sql.includes(quote(name)))
  );
};

/** Computes columns of a table that is there: the transaction only exchanges the expression, the values follow after it. */
export const changeComputed = (draft: Draft, name: string, from: Table, to: Table, findings: Findings): void => {
  for (const [key, { computed }] of Object.entries(to.columns)) {
    if (computed === undefined || !isOutdated(draft, name, [from, to], key, findings)) continue;
    if (!draft.steps.includes(UNTRIGGERED)) draft.steps.push(UNTRIGGERED);
    draft.steps.push(
      { stage: "constraint", sql: keep(name, key, computed) },
      {
        stage: "online",
        sql: computedInBatches(name, key),
        does: `computes ${name}.${key}, some hundred rows at a time`,
      },
    );
  }
};

/** Computes columns of a new table. */
export const startComputed = (draft: Draft, name: string, { columns }: Table): void => {
  for (const [key, { computed }] of Object.entries(columns))
    if (computed !== undefined) draft.steps.push({ stage: "create", sql: keep(name, key, computed) });
};

/** The statement before such a column is dropped. */
export const endComputed = (name: string, key: string): string => `${keep(name, key, undefined)}\n\n`;
