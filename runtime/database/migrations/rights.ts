/** Tells a database without migrations from one whose migrations the role may not see. */
import { SetupError } from "../../base/setup-error.ts";
import type { Session } from "../database.ts";

/**
 * The table that records the migrations, wherever the search path leads, and whether its schema may be used. PostgreSQL
 * leaves schemas that may not be used out of the search path, so that their tables seem to be missing.
 */
const RECORD = `
select quote_ident(current_user), quote_ident(n.nspname), has_schema_privilege(n.oid, 'usage')
from regexp_split_to_table(current_setting('search_path'), '\\s*,\\s*') with ordinality as path (name, position)
join pg_namespace n on n.nspname = trim(both '"' from replace(path.name, '"$user"', current_user))
join pg_class c on c.relnamespace = n.oid and c.relname = 'galley_migrations'
order by 3 desc, path.position limit 1`;

/** @throws SetupError with the right that is missing, if there is a record of migrations that the role may not read */
export const refuseUnreadable = async (session: Session): Promise<void> => {
  const [found] = await session.rows(RECORD);
  if (!found) return;
  const [role, schema, mayUse] = found;
  throw new SetupError(
    mayUse === true
      ? `the role ${role} has no right to read the applied migrations. Grant it: grant select on ${schema}.galley_migrations to ${role};`
      : `the role ${role} has no right to use the schema ${schema}. Grant it: grant usage on schema ${schema} to ${role};`,
  );
};
