/** Activity of a PostgreSQL server: old transactions, abandoned replication slots, notifications. */
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { Database } from "../../../runtime/database/database.ts";
import { literal } from "../../migrate/sql.ts";
import { type Problem, problem } from "../finding.ts";
import { onlyRow, problemsOf, type Reading } from "../reading.ts";

export interface ActivityLimits {
  /** Seconds after which an idle transaction counts as forgotten; ours end after one idle minute. */
  readonly idleSeconds?: number;
  /** Seconds after which an active transaction counts as too long. */
  readonly busySeconds?: number;
}

const TRANSACTIONS = `
select pid, coalesce(state, ''), coalesce(application_name, ''), extract(epoch from now() - xact_start)::int
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  and (state like 'idle in transaction%' and now() - state_change > make_interval(secs => $1)
    or now() - xact_start > make_interval(secs => $2))
order by xact_start`;

const minutes = (seconds: unknown): string => `${Math.round(Number(seconds) / 60)} minutes`;

const examineTransactions = async (
  { rows }: Reading,
  { idleSeconds = 300, busySeconds = 3600 }: ActivityLimits,
): Promise<readonly Problem[]> =>
  (await rows(TRANSACTIONS, [idleSeconds, busySeconds])).map(([pid, state, name, age]) =>
    problem(
      `a transaction of process ${pid}${name === "" ? "" : ` (${name})`} is open for ${minutes(age)}, ${state}`,
      "Vacuum keeps every row that was deleted since it began, and migrations wait for it. The statement ends it and undoes what it did.",
      `select pg_terminate_backend(${pid});`,
    ),
  );

/** Whether this role may see the activity of other connections. */
const SEES_OTHERS = "select pg_has_role('pg_read_all_stats', 'usage')";

const PREPARED = `
select gid from pg_prepared_xacts
where database = current_database() and now() - prepared > make_interval(secs => $1) order by prepared`;

const examinePrepared = async ({ rows }: Reading, { idleSeconds = 300 }: ActivityLimits): Promise<readonly Problem[]> =>
  (await rows(PREPARED, [idleSeconds])).map(([gid]) =>
    problem(
      `the prepared transaction ${gid} waits to be committed or rolled back`,
      "It keeps its locks, also when the server starts again. Galley prepares none: find out whose it is.",
      `rollback prepared ${literal(String(gid))};`,
    ),
  );

const SLOTS = `
select slot_name::text from pg_replication_slots
where not active and (xmin is not null or catalog_xmin is not null or restart_lsn is not null) order by 1`;

const examineSlots = async ({ rows }: Reading): Promise<readonly Problem[]> =>
  (await rows(SLOTS)).map(([name]) =>
    problem(
      `nobody reads the replication slot ${name}`,
      "The server keeps its log for it until the disk is full. Drop it if its reader does not come back.",
      `select pg_drop_replication_slot(${literal(String(name))});`,
    ),
  );

/** Milliseconds for a notification to arrive, even on a busy machine. */
const ARRIVAL = 5000;

/** Poolers in transaction mode lose a connection's LISTEN. */
const examineListener = async (database: Database): Promise<readonly Problem[]> => {
  const token = randomUUID();
  const arrival = new EventEmitter();
  const arrived = once(arrival, "heard", { signal: AbortSignal.timeout(ARRIVAL) }).then(
    () => true,
    () => false,
  );
  const stop = await database.listen("galley_doctor", (payload) => void (payload === token && arrival.emit("heard")));
  try {
    await database.rows("select pg_notify('galley_doctor', $1)", [token]);
    if (await arrived) return [];
  } finally {
    await stop();
  }
  const why =
    "Processes do not learn at once what others change of roles and tokens. Is there a pooler in transaction mode? Listening needs session mode.";
  return [problem("notifications do not arrive", why)];
};

/** Checks transactions that hold back vacuum, slots that hold back the WAL, and delivery of notifications. */
export const examineActivity = async (
  database: Database,
  reading: Reading,
  limits: ActivityLimits = {},
): Promise<readonly Problem[]> => {
  const { attempt, rows, miss } = reading;
  const sees = await attempt("who this role is", async () => onlyRow(await rows(SEES_OTHERS))[0]);
  if (sees === false) miss("transactions of other roles: that takes a role in pg_read_all_stats");
  return problemsOf(reading, [
    ["open transactions", () => examineTransactions(reading, limits)],
    ["prepared transactions", () => examinePrepared(reading, limits)],
    ["replication slots", () => examineSlots(reading)],
    ["whether notifications arrive", () => examineListener(database)],
  ]);
};
