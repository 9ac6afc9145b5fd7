/** An external PostgreSQL, by postgres.js. */
import postgres from "postgres";
import { ServiceUnavailableError } from "../errors.ts";
import type { Database, Parameter, Row, Session, Value } from "./database.ts";
import { translate } from "./fault.ts";
import { parameterText } from "./parameter.ts";
import { createHolds, type Hold, type Holds } from "./postgres-holds.ts";
import { createPreparation, type Preparation, RENEWAL } from "./preparation.ts";

/** PostgreSQL's own numbers of the types that the driver would otherwise turn into JavaScript values. */
const JSON_TYPES = [114, 3802];
const TIME_TYPES = [1082, 1114, 1184];
const BYTEA = 17;
const TEXT = 25;
const BOOLEAN = 16;

const asText = { serialize: String, parse: (text: string) => text };

const options = (pool: number) => ({
  max: pool,
  fetch_types: false,
  connect_timeout: 10,
  // Different for every process, so that they do not all connect anew at once.
  max_lifetime: Math.round((RENEWAL / 1000) * (0.5 + Math.random() / 2)),
  backoff: (attempt: number) => Math.min(attempt / 20, 1),
  onnotice: () => {},
  types: {
    json: { ...asText, to: 114, from: JSON_TYPES },
    date: { ...asText, to: 1184, from: TIME_TYPES },
    bytea: { ...asText, to: BYTEA, from: [BYTEA] },
    string: { ...asText, to: TEXT, from: [TEXT] },
    boolean: { to: BOOLEAN, from: [BOOLEAN], serialize: String, parse: (text: string) => text === "t" },
  },
});

type Client = ReturnType<typeof connect>;
type Handle = Pick<Client, "unsafe">;

/** `random_page_cost` suits solid-state disks; without it short joins become scans of whole tables. */
const connect = (url: string, pool: number, holds: Holds, tuned: boolean) =>
  postgres(url, {
    ...options(pool),
    onclose: holds.onClose,
    connection: { application_name: "galley", TimeZone: "UTC", ...(tuned ? { random_page_cost: 1.1 } : {}) },
  });

const refusesSettings = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === "08P01" || error.code === "42501");

/** Connection poolers may refuse settings that they do not know: then we do without. */
const firstConnection = async (url: string, pool: number, holds: Holds): Promise<Client> => {
  const tuned = connect(url, pool, holds, true);
  try {
    await tuned.unsafe("select 1");
    return tuned;
  } catch (error) {
    await tuned.end({ timeout: 0 });
    if (!refusesSettings(error)) throw error;
  }
  const plain = connect(url, pool, holds, false);
  await plain.unsafe("select 1");
  return plain;
};

type Rows = (handle: Handle, sql: string, parameters: readonly Parameter[]) => Promise<readonly Row[]>;

const runRows =
  (isPrepared: Preparation): Rows =>
  async (handle, sql, parameters) => {
    const options = { prepare: isPrepared(sql) };
    try {
      return await handle.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), options).values();
    } catch (error) {
      throw translate(error);
    }
  };

const script = async (handle: Handle, sql: string, options = {}): Promise<void> => {
  try {
    await handle.unsafe(sql, [], options);
  } catch (error) {
    throw translate(error);
  }
};

/** Statements on a held connection; when it is lost, they fail at once. */
const onHeld = (rows: Rows, handle: Handle, hold: Hold): Pick<Session, "rows" | "script"> => {
  const unlessLost = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (hold.isLost) throw new ServiceUnavailableError("The connection to the database was lost");
    return await run();
  };
  return {
    rows: (sql, parameters = []) => unlessLost(() => rows(handle, sql, parameters)),
    script: (sql) => unlessLost(() => script(handle, sql)),
  };
};

/** Does no harm should it run outside of the transaction after all. */
const isReading = (sql: string): boolean => /^\s*select\b/i.test(sql);

/**
 * Statements of a transaction whose `begin` is on its way. Those that only read follow it at once; from the first other
 * one on, all wait until the transaction is known to be open.
 */
const afterBegin = (
  { rows, script }: Pick<Session, "rows" | "script">,
  opened: Promise<void>,
): Pick<Session, "rows" | "script"> => {
  let follows = true;
  return {
    rows(sql, parameters) {
      follows &&= isReading(sql);
      return follows ? rows(sql, parameters) : opened.then(() => rows(sql, parameters));
    },
    script(sql) {
      follows = false;
      return opened.then(() => script(sql));
    },
  };
};

const runTransaction = async <Result>(
  statements: Pick<Session, "rows" | "script">,
  opened: Promise<void>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const inside: Session = { ...afterBegin(statements, opened), transaction: (nested) => nested(inside) };
  // Work that fails first is what is told of.
  opened.catch(() => {});
  try {
    const result = await work(inside);
    await opened;
    await statements.script("commit");
    return result;
  } catch (error) {
    // The first error tells more than a rollback that fails because the connection is gone.
    await statements.script("rollback").catch(() => {});
    throw error;
  }
};

/**
 * Connects to the PostgreSQL at `url` with at most `pool` connections.
 * Throws when it cannot be reached now; when it is lost later, statements fail with status 503 until it is back.
 */
export const openPostgres = async (url: string, pool: number): Promise<Database> => {
  const holds = createHolds();
  const client = await firstConnection(url, pool, holds);
  const rows = runRows(createPreparation());

  /** Runs `work` on one connection, with the answer to the statement `first` on its way. */
  const held = async <Result>(
    first: string,
    work: (statements: Pick<Session, "rows" | "script">, answered: Promise<void>) => Promise<Result>,
  ): Promise<Result> => {
    const connection = await client.reserve().catch((error: unknown) => {
      throw translate(error);
    });
    const hold = holds.take();
    try {
      const answered = script(connection, first, holds.watch(hold));
      return await work(onHeld(rows, connection, hold), answered);
    } finally {
      holds.release(hold);
      // The driver has taken a lost connection back by itself.
      if (!hold.isLost) connection.release();
    }
  };

  return {
    kind: "postgres",
    rows: (sql, parameters = []) => rows(client, sql, parameters),
    script: (sql) => script(client, sql),
    transaction: (work) => held("begin", (statements, opened) => runTransaction(statements, opened, work)),
    exclusively: (work) =>
      held("select 1", async (statements, answered) => {
        await answered;
        return work({
          ...statements,
          transaction: (inside) => runTransaction(statements, statements.script("begin"), inside),
        });
      }),
    async listen(channel, receive) {
      const { unlisten } = await client.listen(channel, receive);
      return unlisten;
    },
    close: () => client.end({ timeout: 5 }),
  };
};
