/** Whether indexes can find parts of words, which is what the extension pg_trgm is for. */
import { quote } from "../../migrate/sql.ts";
import { onlyRow, type Reading } from "../reading.ts";
import { TRIGRAMS } from "./existing.ts";

export interface Trigrams {
  /** The operator class as an index names it; undefined where the server does not have the extension. */
  readonly operators: string | undefined;
  /** Whether `create extension` has to come first. */
  readonly isMissing: boolean;
}

/** The extension may be in a schema that names do not reach. */
const EXTENSION = `
select (select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
  (select n.nspname = any(current_schemas(true))
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
  exists (select from pg_available_extensions where name = 'pg_trgm')`;

export const readTrigrams = async ({ rows }: Pick<Reading, "rows">): Promise<Trigrams> => {
  const [schema, isReached, isAvailable] = onlyRow(await rows(EXTENSION));
  if (typeof schema === "string") {
    return { operators: isReached === true ? TRIGRAMS : `${quote(schema)}.${TRIGRAMS}`, isMissing: false };
  }
  return { operators: isAvailable === true ? TRIGRAMS : undefined, isMissing: true };
};
