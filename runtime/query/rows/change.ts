/** Changes values of rows that were read, before they are written or shaped: wherever they stand in what was read. */
import type { Row, Value } from "../../database/database.ts";
import type { Uid } from "../../schema/content-type.ts";
import { decoderOf, storedOf } from "../objects/decode.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet } from "./row-set.ts";

/** What is shown of one row: its values by name, and its documentId in any case. */
export interface ShownValues extends Readonly<Record<string, unknown>> {
  readonly documentId: string;
}

type Changed = Readonly<Record<string, unknown>>;

/** Gives other values for some names, or nothing. */
export type Change = (document: ShownValues) => Promise<Changed | void> | Changed | void;

/** By the type of the rows. */
export type Changes = (uid: Uid) => Change | undefined;

/** What the system says of a document is as it is. */
const SYSTEM = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale"]);

const changeRow = async ({ uid, columns, documentIdIndex }: RowLevel, row: Row, change: Change): Promise<Row> => {
  const values = columns.map(({ name, type, index }) => [name, decoderOf(type)(row[index] ?? null)]);
  const changes = await change({ ...Object.fromEntries(values), documentId: String(row[documentIdIndex]) });
  if (!changes) return row;
  const changed: Value[] = [...row];
  for (const { name, type, index } of columns) {
    // Who names an attribute wants something else shown than what is stored, also by `undefined`.
    if (Object.hasOwn(changes, name) && !SYSTEM.has(name))
      changed[index] = storedOf(type, changes[name] ?? null, `${uid} ${name}`);
  }
  return changed;
};

/** The same rows with changed values, and the same of all that completes them. */
export const changeRows = async (set: RowSet, changes: Changes): Promise<RowSet> => {
  const change = changes(set.level.uid);
  const [rows, groups, joins] = await Promise.all([
    change ? Promise.all(set.rows.map((row) => changeRow(set.level, row, change))) : set.rows,
    Promise.all(
      set.groups.map(async (group) => ({ ...group, set: group.set && (await changeRows(group.set, changes)) })),
    ),
    Promise.all(set.joins.map(async (join) => ({ ...join, set: await changeRows(join.set, changes) }))),
  ]);
  return { ...set, rows, groups, joins };
};
