/** An external PostgreSQL server, through postgres.js. */
import type { Client, Database, PoolLoad, Parameter, Row, Session } from "../database.ts";
import { TablesChangedError } from "../fault.ts";
import { demandScope } from "../scope.ts";
import { postgresSnapshots, type Snapshots } from "../snapshots.ts";
import { createCanceller } from "./cancel.ts";
import { type Connection, type ConnectionEvents, openConnection, type Server } from "./connection.ts";
import type { SessionSettings } from "./driver.ts";
import { Listener } from "./listener.ts";
import { Pool } from "./pool.ts";
import { createPreparation, createRows, RENEWAL, type Rows, withoutPreparation } from "./preparation.ts";
import { findSession, type PostgresLimits } from "./session.ts";
import { createTransactions } from "./transaction.ts";

const DEFAULTS: PostgresLimits = { statementSeconds: 10, lockSeconds: 5, prepare: true };

/** Milliseconds in which the server must accept a connection. */
const CONNECT = 5000;
/** Milliseconds after a statement's own timeout until the server counts as not answering. */
const SILENCE = 2000;

/** Opens connections for the pool. Forgets the known snapshots when a new connection may lead to another server. */
const opener = (server: Server, settings: SessionSettings, snapshots: () => Snapshots) => {
  let newest: string | undefined;
  return async (events: ConnectionEvents): Promise<Connection> => {
    const onLost = (): void => {
      snapshots().forget();
      events.onLost?.();
    };
    const connection = await openConnection(server, settings, { ...events, onLost });
    if (connection.server !== newest) snapshots().forget();
    newest = connection.server;
    return connection;
  };
};

/** Runs single statements on the pool. */
const statementsOn = (pool: Pool, rows: Rows) => {
  const once = (sql: string, parameters?: readonly Parameter[], client?: Client): Promise<readonly Row[]> =>
    pool.shared({ sql, client }, (connection) => rows(connection, sql, parameters));
  return {
    once,
    rows(sql: string, parameters?: readonly Parameter[], client?: Client): Promise<readonly Row[]> {
      demandScope();
      return once(sql, parameters, client).catch((failure: unknown) => {
        // A prepared statement became invalid because tables have changed. It had no effect, so it runs again, now
        // unprepared.
        if (!(failure instanceof TablesChangedError)) throw failure;
        return once(sql, parameters, client);
      });
    },
    async script(sql: string): Promise<void> {
      demandScope();
      await pool.shared({ sql }, (connection) => connection.script(sql));
    },
  };
};

/** Runs `work` on a connection of its own. */
const exclusivelyOn = async <Result>(
  connection: Connection,
  work: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const rows = createRows(withoutPreparation);
  try {
    return await work({
      rows: (sql, parameters) => rows(connection, sql, parameters),
      script: async (sql) => void (await connection.script(sql)),
      transaction: createTransactions(async () => ({ connection, release: () => {} }), rows),
    });
  } finally {
    await connection.close();
  }
};

const loadOf = ({ members, waiting }: Pool): PoolLoad => ({
  open: members.length,
  busy: members.filter(({ works }) => works.length > 0).length,
  waiting,
});

/**
 * Connects to the PostgreSQL server at `url` with at most `max` connections. Throws if it cannot be reached now. If
 * the connection is lost later, statements fail with status 503 until the server is back.
 */
export const openPostgres = async (
  url: string,
  max: number,
  limits: Partial<PostgresLimits> = {},
): Promise<Database> => {
  const { statementSeconds, lockSeconds, prepare } = { ...DEFAULTS, ...limits };
  const patience = statementSeconds * 1000;
  const server: Server = { url, patience: Math.min(CONNECT, patience) };
  const { settings, begin, unlimited } = await findSession(server, { statementSeconds, lockSeconds, prepare });
  const pool = new Pool(
    opener(server, settings, () => snapshots),
    createCanceller(() => openConnection(server, settings)),
    { max, patience, silence: patience + SILENCE, lifetime: RENEWAL },
  );
  const rows = createRows(prepare ? createPreparation() : withoutPreparation);
  const statements = statementsOn(pool, rows);
  const snapshots = postgresSnapshots(statements.once, (start) =>
    pool.members.some(({ connection }) => (connection.server ?? start) !== start),
  );
  const listener = new Listener({
    open: (events) => openConnection(server, unlimited, events),
    notify: (channel) => statements.once("select pg_notify($1, '')", [channel]),
  });
  await pool.start();
  const transaction = createTransactions((client) => pool.lease(client), rows, begin);
  return {
    kind: "postgres",
    rows: statements.rows,
    script: statements.script,
    transaction(work, beginning) {
      demandScope();
      return transaction(work, beginning);
    },
    exclusively: async (work) => exclusivelyOn(await openConnection(server, unlimited), work),
    listen: (channel, receive) => listener.listen(channel, receive),
    snapshot: snapshots.current,
    load: () => loadOf(pool),
    close: async () => void (await Promise.all([listener.close(), pool.close()])),
  };
};
