/** An external PostgreSQL server, through postgres.js. */
import type { Client, Database, Reader } from "../database.ts";
import { TablesChangedError, translate } from "../fault.ts";
import { demandScope } from "../scope.ts";
import { postgresSnapshots } from "../snapshots.ts";
import { createCanceller } from "./cancel.ts";
import { type ConnectionEvents, openConnection, type Server } from "./connection.ts";
import { createListener } from "./listener.ts";
import { type Lease, Pool } from "./pool.ts";
import { createPreparation, RENEWAL, withoutPreparation } from "./preparation.ts";
import { findSession, type PostgresLimits } from "./session.ts";
import { createRows, script } from "./statements.ts";
import { createTransactions } from "./transaction.ts";

const DEFAULTS: PostgresLimits = { statementSeconds: 10, lockSeconds: 5, prepare: true };

/** Milliseconds in which the server must accept a connection. */
const CONNECT = 5000;
/** Milliseconds after a statement's own timeout until the server counts as not answering. */
const SILENCE = 2000;

/**
 * Connects to the PostgreSQL server at `url` with at most `pool` connections. Throws if it cannot be reached now. If
 * the connection is lost later, statements fail with status 503 until the server is back.
 */
export const openPostgres = async (
  url: string,
  pool: number,
  limits: Partial<PostgresLimits> = {},
): Promise<Database> => {
  const { statementSeconds, lockSeconds, prepare } = { ...DEFAULTS, ...limits };
  const server: Server = { url, patience: Math.min(CONNECT, statementSeconds * 1000) };
  const { settings, begin, unlimited } = await findSession(server, {
    statementSeconds,
    lockSeconds,
    prepare,
  });
  const canceller = createCanceller(() => openConnection(server, settings));
  let newest: string | undefined;
  const open = async (events: ConnectionEvents) => {
    const onLost = (): void => {
      snapshots.forget();
      events.onLost?.();
    };
    const connection = await openConnection(server, settings, { ...events, onLost });
    // What is known of snapshots may be of another server than reads are from now on.
    if (connection.server !== newest) snapshots.forget();
    newest = connection.server;
    return connection;
  };
  const silence = statementSeconds * 1000 + SILENCE;
  const connections = new Pool(open, canceller, {
    max: pool,
    patience: statementSeconds * 1000,
    silence,
    lifetime: RENEWAL,
  });
  const rows = createRows(prepare ? createPreparation() : withoutPreparation);
  const shared: Reader["rows"] = (sql, parameters, client) =>
    connections.shared({ sql, client }, (connection) => rows(connection, sql, parameters));
  const lease = (client?: Client): Promise<Lease> => connections.lease(client);
  const listener = createListener({
    open: (events: ConnectionEvents) => openConnection(server, unlimited, events),
    notify: (channel) => shared("select pg_notify($1, '')", [channel]),
  });
  const snapshots = postgresSnapshots(shared, (start) =>
    connections.some((connection) => (connection.server ?? start) !== start),
  );
  try {
    await connections.start();
  } catch (error) {
    await connections.close();
    throw error;
  }

  const transaction = createTransactions(lease, rows, begin);

  return {
    kind: "postgres",
    rows(sql, parameters, client) {
      demandScope();
      return shared(sql, parameters, client).catch((failure: unknown) => {
        // A prepared statement became invalid because tables have changed. It had no effect, so it runs again, now
        // unprepared.
        if (!(failure instanceof TablesChangedError)) return rethrow(failure);
        return shared(sql, parameters, client).catch(rethrow);
      });
    },
    script(sql) {
      demandScope();
      return connections.shared({ sql }, (connection) => script(connection, sql)).then(nothing, rethrow);
    },
    transaction(work, beginning) {
      demandScope();
      return transaction(work, beginning);
    },
    async exclusively(work) {
      const connection = await openConnection(server, unlimited).catch(rethrow);
      const own: Lease = { connection, release: () => {} };
      const ownRows = createRows(withoutPreparation);
      try {
        return await work({
          rows: (sql, parameters) => ownRows(connection, sql, parameters),
          script: async (sql) => void (await script(connection, sql)),
          transaction: createTransactions(async () => own, ownRows),
        });
      } finally {
        await connection.close();
      }
    },
    listen: listener.listen,
    snapshot: snapshots.current,
    async close() {
      await Promise.all([listener.close(), connections.close()]);
    },
  };
};

const rethrow = (error: unknown): never => {
  throw translate(error);
};

const nothing = (): void => {};
