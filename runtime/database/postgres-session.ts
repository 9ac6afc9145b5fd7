/** What sessions with a PostgreSQL server are asked to begin with, and whether there is a pooler between. */
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "../base/setup-error.ts";
import { faultOf } from "./fault.ts";
import { type Connection, openConnection, type Server, type SessionSettings } from "./postgres-connection.ts";

export interface PostgresLimits {
  /** Seconds for which one statement may run, and for which one waits for a connection. */
  readonly statementSeconds: number;
  /** Seconds for which a statement waits for what others have locked. */
  readonly lockSeconds: number;
  /** Whether statements that come again are prepared. */
  readonly prepare: boolean;
}

/** `random_page_cost` suits solid-state disks; without it short joins become scans of whole tables. */
const TUNED = { random_page_cost: 1.1 };

/** Milliseconds after which PostgreSQL ends a transaction whose process says nothing any more, with all its locks. */
const FORGOTTEN = 60_000;

/** Milliseconds after which a pooler that does not answer has no other server. */
const ONE_SERVER = 2000;

export interface SessionKind {
  /** For the connections of the pool. */
  readonly settings: SessionSettings;
  /** For work that may take as long as it takes. */
  readonly unlimited: SessionSettings;
  /** What begins a transaction. */
  readonly begin: string;
}

/** Connection poolers may refuse settings that they do not know. */
const refusesSettings = (error: unknown): boolean => /^(08P01|42501)$/.test(faultOf(error)?.code ?? "");

/** A pooler that gives every transaction another server has to know what was prepared on which. */
const keepsPrepared = async (first: Connection, second: Connection): Promise<boolean> => {
  const probe = "select $1::int as prepared";
  try {
    await first.rows(probe, [1], true);
    await second.script("begin");
    const again = first.rows(probe, [1], true);
    again.catch(() => {});
    // Where a pooler has no more than one server, the answer comes when the other has done, and nothing is lost.
    await Promise.race([again, sleep(ONE_SERVER)]);
    await second.script("rollback");
    await again;
    return true;
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return false;
  }
};

const demandPreparation = async (server: Server, first: Connection, settings: SessionSettings): Promise<void> => {
  const second = await openConnection(server, settings);
  try {
    if (await keepsPrepared(first, second)) return;
  } finally {
    await second.close();
  }
  throw new SetupError(
    "the pooler before the database loses prepared statements. Set `max_prepared_statements = 500` in PgBouncer (1.21 or newer), " +
      "or `prepare: false` in `database` of cms.config.ts (DATABASE_PREPARE=false).",
  );
};

/**
 * Finds out which settings are taken.
 *
 * @throws SetupError when statements are to be prepared, and a pooler between cannot keep them
 */
export const findSession = async (
  server: Server,
  { statementSeconds, lockSeconds, prepare }: PostgresLimits,
): Promise<SessionKind> => {
  const timeouts = {
    statement_timeout: statementSeconds * 1000,
    lock_timeout: lockSeconds * 1000,
    idle_in_transaction_session_timeout: FORGOTTEN,
  };
  const own: SessionKind = { settings: { ...TUNED, ...timeouts }, unlimited: TUNED, begin: "begin" };
  const setLocal = Object.entries(timeouts).map(([name, value]) => `set local ${name} = ${value}`);
  const foreign: SessionKind = { settings: {}, unlimited: {}, begin: ["begin", ...setLocal].join("; ") };

  const open = async (kind: SessionKind): Promise<readonly [SessionKind, Connection]> => [
    kind,
    await openConnection(server, kind.settings),
  ];
  const [kind, connection] = await open(own).catch((error: unknown) => {
    if (refusesSettings(error)) return open(foreign);
    throw error;
  });
  try {
    if (connection.isPooled && prepare) await demandPreparation(server, connection, kind.settings);
    return kind;
  } finally {
    await connection.close();
  }
};
