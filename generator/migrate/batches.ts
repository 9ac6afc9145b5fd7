/** Updates of many rows, in batches that let other writers in between. */
import { quote } from "./sql.ts";

/** Rows per batch: they stay locked for some ten milliseconds. */
const BATCH = 5000;
/** The same where values take long to compute: less than a second. */
const SLOW = 500;

/**
 * A block that updates a table with a numeric `id` in batches of some thousand rows, each committed by itself; for the
 * part of a migration outside its transaction. It may run again after an interruption.
 *
 * @param sets columns with the SQL of their new values
 * @param where which rows still need it
 */
export const inBatches = (table: string, sets: readonly (readonly [string, string])[], where: string): string =>
  statementInBatches(
    table,
    `update ${quote(table)} set ${sets.map(([column, value]) => `${quote(column)} = ${value}`).join(", ")}
    where ${range(quote("id"))} and ${where};`,
  );

/** A block that computes a column of each row anew, by the trigger that keeps it. */
export const computedInBatches = (table: string, column: string): string =>
  statementInBatches(
    table,
    `perform set_config('galley.made', '', true);
    update ${quote(table)} set ${quote(column)} = null where ${range(quote("id"))};`,
    SLOW,
  );

/** The rows of one batch, by the SQL of their id. */
export const range = (id: string): string => `${id} > galley_from and ${id} <= galley_to`;

/** The same for any statement that contains a `range`. */
export const statementInBatches = (table: string, statement: string, batch = BATCH): string =>
  `do $$
declare
  galley_from integer := 0;
  galley_to integer;
begin
  loop
    select max("id") into galley_to
    from (select "id" from ${quote(table)} where "id" > galley_from order by "id" limit ${batch}) as batch;
    exit when galley_to is null;
    ${statement}
    commit;
    galley_from := galley_to;
  end loop;
end
$$;`;
