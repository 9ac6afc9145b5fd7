/** PostgreSQL settings that make a server unsafe, slow, or too small for the configuration. */
import { availableParallelism } from "node:os";
import { quote } from "../../migrate/sql.ts";
import { type Problem, problem } from "../finding.ts";
import { onlyRow, type Reading } from "../reading.ts";

const OLDEST_VERSION = 140_000;

const SETTINGS = `
select current_setting('server_version_num')::int, current_setting('fsync')::bool,
  current_setting('full_page_writes')::bool, current_setting('autovacuum')::bool and current_setting('track_counts')::bool,
  pg_is_in_recovery(), current_setting('statement_timeout'), current_setting('random_page_cost')::float8, current_user::text`;

const unsafe = (name: string, why: string): Problem =>
  problem(`${name} is off`, why, `alter system set ${name} = on;`, "select pg_reload_conf();");

const BROKEN = "When the machine or the system crashes, the database may be beyond repair.";

const examineServer = async ({ rows }: Reading): Promise<readonly Problem[]> => {
  const [version, fsync, pages, vacuums, isStandby, timeout, cost, role] = onlyRow(await rows(SETTINGS));
  const problems: Problem[] = [];
  if (Number(version) < OLDEST_VERSION) {
    const why = "Galley needs version 14 or newer. Move the database to a newer server.";
    problems.push(problem(`the server is too old (${Math.floor(Number(version) / 10_000)})`, why));
  }
  if (fsync !== true) problems.push(unsafe("fsync", BROKEN));
  if (pages !== true) problems.push(unsafe("full_page_writes", BROKEN));
  if (vacuums !== true) {
    const why = "Dead rows stay, and statistics are not renewed: everything becomes slower with time.";
    problems.push({ ...unsafe("autovacuum", why), sql: [...AUTOVACUUM] });
  }
  if (isStandby === true) {
    const why = "It takes no writes. Let `database.url` name the primary, and `database.replicas` this server.";
    problems.push(problem("the server is a standby", why));
  }
  const alter = (setting: string): string => `alter role ${quote(String(role))} set ${setting};`;
  // Our own connections set both, unless a pooler rejects unknown settings.
  if (timeout === "0") {
    const why =
      "The pooler in between refuses the settings of connections: a statement that hangs blocks its connection.";
    problems.push(problem("statements have no time limit", why, alter("statement_timeout = '10s'")));
  }
  if (Number(cost) >= 4) {
    const why =
      "The pooler in between refuses the settings of connections: indexes are passed over as on rotating disks.";
    problems.push(problem(`random_page_cost is ${cost}`, why, alter("random_page_cost = 1.1")));
  }
  return problems;
};

const AUTOVACUUM = [
  "alter system set autovacuum = on;",
  "alter system set track_counts = on;",
  "select pg_reload_conf();",
] as const;

/** Connections that this role may open in this database, excluding those reserved for administrators. */
const ROOM = `
select least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0),
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user))`;

interface Room {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** Each process has its pool, and one connection for LISTEN. */
const examineRoom = async ({ rows }: Reading, pool: number): Promise<Room> => {
  const room = Number(onlyRow(await rows(ROOM))[0]);
  const each = pool + 1;
  if (room < each) {
    const why = `Each process opens ${each} (database.pool, and one to listen). Requests queue for those that there are: lower database.pool, or raise the limit.`;
    return { problems: [problem(`the server allows ${room} connections`, why)], notes: [] };
  }
  const processes = Math.floor(room / each);
  const cores = availableParallelism();
  // A development machine has a different number of cores than the server.
  if (processes >= cores || process.env["NODE_ENV"] !== "production") return { problems: [], notes: [] };
  const note = `The server's ${room} connections are enough for ${processes} processes of ${each}; with --workers auto this machine starts ${cores}.`;
  return { problems: [], notes: [note] };
};

/** @param pool `database.pool` of the configuration */
export const examineSettings = async (reading: Reading, pool: number): Promise<Room> => {
  const problems = await reading.attempt("settings of the server", () => examineServer(reading));
  const room = await reading.attempt("limits of connections", () => examineRoom(reading, pool));
  return { problems: [...(problems ?? []), ...(room?.problems ?? [])], notes: room?.notes ?? [] };
};
