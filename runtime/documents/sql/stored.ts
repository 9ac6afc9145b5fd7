/**
 * Conditions under which a statement fails instead of storing less than it is meant to. A trigger of the project, or a
 * policy for rows, may leave out a row without an error; and since the commit is often sent along with a statement, its
 * result would be seen too late.
 */
import { type SQL, sql } from "drizzle-orm";
import { NOT_STORED } from "../../database/fault.ts";

/** A condition that is true if `holds`, and makes the statement fail otherwise: the text is not a number. */
const demanded = (holds: SQL): SQL => sql`(case when ${holds} then '1' else '${sql.raw(NOT_STORED)}' end)::int = 1`;

/** Selects `columns` of the row that the expression `version` has stored, and fails if there is none. */
export const shownIfStored = (columns: SQL): SQL =>
  sql`select ${columns} from (values (1)) as one left join version on true where ${demanded(sql`version.id is not null`)}`;

/** Fails unless `holds`. */
export const demand = (holds: SQL): SQL => sql`select 1 where ${demanded(holds)}`;

/** Fails unless the expression `version` has stored a row. */
export const demandStored = demand(sql`exists (select from version)`);

/** Fails unless the expression `version` has stored a row for each one of the expression `wanted`. */
export const demandAllStored = demand(sql`(select count(*) from version) = (select count(*) from wanted)`);
