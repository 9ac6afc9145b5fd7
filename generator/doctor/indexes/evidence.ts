/** Statements executed for requests, if the server has the extension pg_stat_statements. */
import { quote } from "../../migrate/sql.ts";
import { onlyRow, type Reading } from "../reading.ts";
import { type Use, usesIn } from "./uses.ts";

/** A statement with its cost since the statistics were last reset. */
export type Evidence = NonNullable<Awaited<ReturnType<typeof readEvidence>>>[number];

const INSTALLED = `
select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace
where e.extname = 'pg_stat_statements'`;

/** PostgreSQL's placeholder for statements of other roles, which not everybody may see. */
const HIDDEN = "<insufficient privilege>";

/** Most expensive first. */
const statementsIn = (schema: string): string => `
select query, calls::float8, total_exec_time::float8 from ${quote(schema)}.pg_stat_statements
where dbid = (select oid from pg_database where datname = current_database())
  and (query ~ '^(select|with) ' and query ~ ' "t1"' or query = '${HIDDEN}') and calls > 0
order by total_exec_time desc limit 1000`;

/** Undefined if statements are not tracked, or those of requests are hidden from this role. */
export const readEvidence = async ({ rows, miss }: Pick<Reading, "rows" | "miss">) => {
  const [schema] = onlyRow(await rows(INSTALLED));
  if (schema === undefined) return undefined;
  const statements = await rows(statementsIn(String(schema)));
  const visible = statements.filter(([query]) => query !== HIDDEN);
  if (visible.length < statements.length) miss("statements of other roles: that takes a role in pg_read_all_stats");
  if (visible.length === 0 && statements.length > 0) return undefined;
  return visible.map(([query, calls, milliseconds]) => ({
    uses: usesIn(String(query)),
    calls: Number(calls),
    milliseconds: Number(milliseconds),
  }));
};

/** The statements with any of the wanted uses, each with only those. */
export const withUses = (evidence: readonly Evidence[], isWanted: (use: Use) => boolean): readonly Evidence[] =>
  evidence.flatMap((each) => {
    const uses = each.uses.filter(isWanted);
    return uses.length === 0 ? [] : [{ ...each, uses }];
  });
