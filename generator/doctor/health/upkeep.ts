/** Overdue autovacuum work, and ids that run out. */
import { quote } from "../../migrate/sql.ts";
import { type Problem, problem } from "../finding.ts";
import { onlyRow, problemsOf, type Reading } from "../reading.ts";
import { grouped } from "../size.ts";

/** A table with fewer bytes is scanned whole anyway, whatever its statistics. */
const SMALL = 1_000_000;
/** The minimum number of changed rows before a table counts as neglected. */
const MANY = 10_000;

/** Tables without planner statistics, or with statistics older than most of their rows. */
const STATISTICS = `
select c.relname::text, coalesce(s.n_mod_since_analyze, 0)::float8, c.reltuples::float8,
  not exists (select from pg_stats p where p.schemaname = current_schema() and p.tablename = c.relname)
from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and has_any_column_privilege(c.oid, 'select')
  and case when c.relpages * 8192.0 >= ${SMALL} then true
    when c.reltuples >= 0 and coalesce(s.n_mod_since_analyze, 0) < ${MANY} then false
    else pg_relation_size(c.oid) >= ${SMALL} end
order by c.relname`;

const examineStatistics = async ({ rows }: Reading): Promise<readonly Problem[]> =>
  (await rows(STATISTICS)).flatMap(([table, changed, known, absent]): Problem[] => {
    const analyze = `analyze ${quote(String(table))};`;
    const guesses = "Without statistics, the database guesses how to answer requests, often badly.";
    if (absent === true) return [problem(`${table} has never been analyzed`, guesses, analyze)];
    // Rows written right before an analyze may count as written after it.
    if (Number(changed) < MANY || Number(changed) < 2 * Number(known)) return [];
    const why = `The database plans for ${grouped(Number(known))} rows, and ${grouped(Number(changed))} have been written since.`;
    return [problem(`the statistics of ${table} are out of date`, why, analyze)];
  });

const DEAD = `
select relname::text, n_dead_tup::float8, n_live_tup::float8
from pg_stat_user_tables
where schemaname = current_schema() and n_dead_tup > ${MANY} and n_dead_tup > n_live_tup / 2
order by n_dead_tup desc`;

const examineDeadRows = async ({ rows }: Reading): Promise<readonly Problem[]> =>
  (await rows(DEAD)).map(([table, dead, live]) =>
    problem(
      `${table} has ${grouped(Number(dead))} dead rows beside ${grouped(Number(live))} live ones`,
      "They are read and passed over. Autovacuum should remove them: it is off, too slow, or held back by a transaction.",
      `vacuum (analyze) ${quote(String(table))};`,
    ),
  );

/** The share of its range that a sequence may have used. */
const USED = 0.8;

const NUMBERS = `
select sequencename::text, last_value::float8, max_value::float8,
  has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'select')
from pg_sequences where schemaname = current_schema() order by 1`;

const examineNumbers = async ({ rows, miss }: Reading): Promise<readonly Problem[]> => {
  const found = await rows(NUMBERS);
  const hidden = found.filter(([, , , mayRead]) => mayRead !== true).length;
  if (hidden > 0) miss(`how many numbers are left in ${hidden} sequences: the role may not read them`);
  return found
    .filter(([, last, most]) => Number(last ?? 0) > USED * Number(most))
    .map(([name, last, most]) =>
      problem(
        `${name} has used ${grouped(Number(last))} of its ${grouped(Number(most))} numbers`,
        "When none is left, new content is refused. `cms export`, and `cms import` into an empty database, numbers content anew.",
      ),
    );
};

/** Age of the oldest transaction id still in use. PostgreSQL stops accepting writes at about two billion. */
const OLD = 1_000_000_000;

const AGE = `
select greatest(age(datfrozenxid), mxid_age(datminmxid))::float8 from pg_database where datname = current_database()`;

const OLDEST = `
select oid::regclass::text from pg_class
where relkind in ('r', 't', 'm') order by greatest(age(relfrozenxid), mxid_age(relminmxid)) desc limit 3`;

export interface UpkeepLimits {
  /** The age in transactions at which a database counts as old. */
  readonly oldAge?: number;
}

const examineAge = async ({ rows }: Reading, oldAge: number): Promise<readonly Problem[]> => {
  const age = Number(onlyRow(await rows(AGE))[0]);
  if (age < oldAge) return [];
  const title = `${grouped(age)} transactions have passed since the oldest that rows name`;
  const why =
    "Near two thousand million PostgreSQL takes no more writes. Autovacuum does not keep up: look for old transactions first.";
  return [problem(title, why, ...(await rows(OLDEST)).map(([table]) => `vacuum (freeze) ${table};`))];
};

/** Checks statistics, dead rows, sequences and the database's age. */
export const examineUpkeep = (reading: Reading, { oldAge = OLD }: UpkeepLimits = {}): Promise<readonly Problem[]> =>
  problemsOf(reading, [
    ["whether tables have statistics", () => examineStatistics(reading)],
    ["dead rows", () => examineDeadRows(reading)],
    ["sequences", () => examineNumbers(reading)],
    ["the age of the database", () => examineAge(reading, oldAge)],
  ]);
