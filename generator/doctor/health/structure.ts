/** Unusable indexes, and unvalidated constraints. */
import { quote } from "../../migrate/sql.ts";
import { type Problem, problem } from "../finding.ts";
import type { Reading } from "../reading.ts";

/** Excludes those under construction. */
const INVALID = `
select c.relname::text, i.relname::text
from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
where c.relnamespace = current_schema()::regnamespace and not x.indisvalid
  and not exists (select from pg_stat_progress_create_index p where p.index_relid = x.indexrelid)
order by 1, 2`;

const UNCHECKED = `
select c.relname::text, o.conname::text
from pg_constraint o join pg_class c on c.oid = o.conrelid
where c.relnamespace = current_schema()::regnamespace and not o.convalidated
order by 1, 2`;

/** What an interrupted `reindex concurrently` leaves behind. */
const LEFT_OVER = /_cc(?:new|old)\d*$/;

const invalidIndex = (table: string, name: string): Problem =>
  problem(
    `index ${name} of ${table} is not valid: building it was interrupted`,
    "Writes keep it up, and no request can use it.",
    `${LEFT_OVER.test(name) ? "drop" : "reindex"} index concurrently ${quote(name)};`,
  );

const uncheckedConstraint = (table: string, name: string): Problem =>
  problem(
    `constraint ${name} of ${table} was never checked`,
    "Rows from before may break it. The statement says which one does, and stops nobody.",
    `alter table ${quote(table)} validate constraint ${quote(name)};`,
  );

/** The titles are the drift lines that `cms migrate status` prints. */
export const examineStructure = async ({ rows }: Reading): Promise<readonly Problem[]> => {
  const indexes = await rows(INVALID);
  const constraints = await rows(UNCHECKED);
  return [
    ...indexes.map(([table, name]) => invalidIndex(String(table), String(name))),
    ...constraints.map(([table, name]) => uncheckedConstraint(String(table), String(name))),
  ];
};
