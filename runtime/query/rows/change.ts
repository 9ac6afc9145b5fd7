/** Changes values of rows after reading and before they are sent, including those of populated rows. */
import type { Row, Value } from "../../database/database.ts";
import type { Uid } from "../../schema/content-type.ts";
import { decoderOf, storedOf } from "../output/decode.ts";
import type { RowLevel } from "../plan/plan.ts";
import type { RowSet, Found } from "./row-set.ts";

/** The values of a row in the response, by name, and its documentId. */
export interface ShownValues extends Readonly<Record<string, unknown>> {
  readonly documentId: string;
}

type Changed = Readonly<Record<string, unknown>>;

/** Returns new values for some names, or nothing. */
export type Change = (document: ShownValues) => Promise<Changed | void> | Changed | void;

/** The changes for rows of a type. */
export type Changes = (uid: Uid) => Change | undefined;

/** System fields, whose values cannot be changed. */
const SYSTEM = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale"]);

const changeRow = async ({ uid, columns, documentIdIndex }: RowLevel, row: Row, change: Change): Promise<Row> => {
  const values = columns.map(({ name, type, index }) => [name, decoderOf(type)(row[index] ?? null)]);
  const changes = await change({ ...Object.fromEntries(values), documentId: String(row[documentIdIndex]) });
  if (!changes) return row;
  const changed: Value[] = [...row];
  for (const { name, type, index } of columns) {
    // A name that is present changes the value, even if its new value is `undefined`.
    if (Object.hasOwn(changes, name) && !SYSTEM.has(name))
      changed[index] = storedOf(type, changes[name] ?? null, `${uid} ${name}`);
  }
  return changed;
};

/** Returns the rows with changed values, including all rows read for them. */
export const changeRows = async (set: RowSet, changes: Changes): Promise<RowSet> => {
  const change = changes(set.level.uid);
  const changed = async <Plan>(found: Found<Plan>): Promise<Found<Plan>> => ({
    ...found,
    set: await changeRows(found.set, changes),
  });
  const [rows, groups, joins] = await Promise.all([
    change ? Promise.all(set.rows.map((row) => changeRow(set.level, row, change))) : set.rows,
    Promise.all(set.groups.map(changed)),
    Promise.all(set.joins.map(changed)),
  ]);
  return { ...set, rows, groups, joins };
};
