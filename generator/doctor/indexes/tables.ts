/** The tables of the database with estimates from the catalogue, without counting rows. */
import type { Reading } from "../reading.ts";

export interface ColumnStatistics {
  /** Average bytes of a value. */
  readonly width: number;
  /** The approximate number of distinct values; undefined if they are a share of the rows. */
  readonly distinct: number | undefined;
}

export interface TableEstimate {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, ColumnStatistics>;
}

/** Assumed bytes per row if only the size of the table is known. */
const ROW = 150;

/**
 * The catalogue's numbers date from the last vacuum or analyze. If there was none, reads the file's size, which waits
 * for transactions that alter the table.
 */
const TABLES = `
select c.relname::text, c.reltuples::float8, c.relpages::float8,
  case when c.reltuples < 0 or $1 then pg_relation_size(c.oid)::float8 end,
  coalesce(s.n_live_tup, 0)::float8
from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`;

const COLUMNS = `
select tablename::text, attname::text, avg_width, n_distinct::float8
from pg_stats where schemaname = current_schema()`;

const PAGE = 8192;

/**
 * @param isAlone whether nobody can hold locks: the embedded database has no autovacuum, so its catalogue is outdated
 */
export const readTables = async (
  { rows }: Pick<Reading, "rows">,
  isAlone: boolean,
): Promise<ReadonlyMap<string, TableEstimate>> => {
  const columns = new Map<string, Map<string, ColumnStatistics>>();
  for (const [table, column, width, distinct] of await rows(COLUMNS)) {
    const known = columns.get(String(table)) ?? new Map<string, ColumnStatistics>();
    const count = Number(distinct);
    known.set(String(column), { width: Number(width), distinct: count > 0 ? count : undefined });
    columns.set(String(table), known);
  }
  const found = await rows(TABLES, [isAlone]);
  return new Map(
    found.map(([name, known, pages, measured, live]) => {
      const density = Number(known) > 0 && Number(pages) > 0 ? Number(known) / Number(pages) : PAGE / ROW;
      const inFile = measured === null ? Number(known) : (Number(measured) / PAGE) * density;
      const rows = Math.round(Math.max(inFile, Number(live)));
      return [String(name), { rows, columns: columns.get(String(name)) ?? new Map() }];
    }),
  );
};
