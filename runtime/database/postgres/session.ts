/** Chooses the settings of sessions with a PostgreSQL server, and detects poolers. */
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "../../base/thrown.ts";
import { faultOf } from "../fault.ts";
import { BEGIN, MARK } from "../transaction.ts";
import { type Connection, openConnection, type Server } from "./connection.ts";
import type { SessionSettings } from "./driver.ts";

export interface PostgresLimits {
  /** Seconds that one statement may run, and that it may wait for a connection. */
  readonly statementSeconds: number;
  /** Seconds that a statement may wait for a lock. */
  readonly lockSeconds: number;
  /** Whether repeated statements are prepared. */
  readonly prepare: boolean;
}

/** The isolation that transactions are written for. */
const ISOLATION = "read committed";

/** Settings of every session, whatever the server, the database or the role sets. */
const TUNED = {
  /** For solid-state disks. With the default, PostgreSQL would scan whole tables for short joins. */
  random_page_cost: 1.1,
  /** Numbers are printed exactly. Rounded ones would be wrong in answers, and cursors would not find their place. */
  extra_float_digits: 1,
  default_transaction_isolation: ISOLATION,
};

/**
 * Milliseconds after which PostgreSQL ends a transaction, with all its locks, if its process sends nothing any more.
 */
const FORGOTTEN = 60_000;

/** Milliseconds without an answer after which we assume that a pooler has only one server connection. */
const ONE_SERVER = 2000;

export interface SessionKind {
  /** Settings for the connections of the pool. */
  readonly settings: SessionSettings;
  /** Settings for work without time limits. */
  readonly unlimited: SessionSettings;
  /** The statement that begins a transaction. */
  readonly begin: string;
}

/** Whether the error says that a pooler refuses settings that it does not know. */
const refusesSettings = (error: unknown): boolean => /^(08P01|42501)$/.test(faultOf(error)?.code ?? "");

/**
 * Whether prepared statements work through the pooler. If it may use another server connection for each transaction, it
 * has to track which statements were prepared where.
 */
const keepsPrepared = async (first: Connection, second: Connection): Promise<boolean> => {
  const probe = "select $1::int as prepared";
  try {
    await first.rows(probe, [1], true);
    await second.script("begin");
    const again = first.rows(probe, [1], true);
    again.catch(() => {});
    // If the pooler has only one server connection, `again` is answered only after the other has ended. Then prepared
    // statements are safe.
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
 * Tries which settings the server accepts.
 *
 * @throws SetupError when statements are to be prepared but the pooler does not support it
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
  const own: SessionKind = {
    settings: { ...TUNED, ...timeouts },
    unlimited: TUNED,
    begin: BEGIN,
  };
  const setLocal = Object.entries(timeouts).map(([name, value]) => `set local ${name} = ${value}`);
  const foreign: SessionKind = {
    settings: {},
    unlimited: {},
    begin: [`begin isolation level ${ISOLATION}`, MARK, ...setLocal].join("; "),
  };

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
