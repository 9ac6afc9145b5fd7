/** An external PostgreSQL, by postgres.js. */
import postgres from "postgres";
import type { Database, Parameter, Row, Session, Value } from "./database.ts";
import { translate } from "./fault.ts";
import { parameterText } from "./parameter.ts";

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
const connect = (url: string, pool: number, tuned: boolean) =>
  postgres(url, {
    ...options(pool),
    connection: { application_name: "galley", TimeZone: "UTC", ...(tuned ? { random_page_cost: 1.1 } : {}) },
  });

const refusesSettings = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === "08P01" || error.code === "42501");

/** Connection poolers may refuse settings that they do not know: then we do without. */
const firstConnection = async (url: string, pool: number): Promise<Client> => {
  const tuned = connect(url, pool, true);
  try {
    await tuned.unsafe("select 1");
    return tuned;
  } catch (error) {
    await tuned.end({ timeout: 0 });
    if (!refusesSettings(error)) throw error;
  }
  const plain = connect(url, pool, false);
  await plain.unsafe("select 1");
  return plain;
};

const rows = async (handle: Handle, sql: string, parameters: readonly Parameter[]): Promise<readonly Row[]> => {
  try {
    return await handle.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), { prepare: true }).values();
  } catch (error) {
    throw translate(error);
  }
};

const script = async (handle: Handle, sql: string): Promise<void> => {
  try {
    await handle.unsafe(sql).simple();
  } catch (error) {
    throw translate(error);
  }
};

const inTransaction = (handle: Handle): Session => {
  const session: Session = {
    rows: (sql, parameters = []) => rows(handle, sql, parameters),
    script: (sql) => script(handle, sql),
    transaction: (work) => work(session),
  };
  return session;
};

/** One connection of the pool, with transactions of its own. */
const onConnection = (handle: Handle): Session => {
  const inside = inTransaction(handle);
  return {
    rows: inside.rows,
    script: inside.script,
    async transaction(work) {
      await inside.script("begin");
      try {
        const result = await work(inside);
        await inside.script("commit");
        return result;
      } catch (error) {
        // The first error tells more than a rollback that fails because the connection is gone.
        await inside.script("rollback").catch(() => {});
        throw error;
      }
    },
  };
};

/**
 * Connects to the PostgreSQL at `url` with at most `pool` connections.
 * Throws when it cannot be reached now; when it is lost later, statements fail with status 503 until it is back.
 */
export const openPostgres = async (url: string, pool: number): Promise<Database> => {
  const client = await firstConnection(url, pool);

  const exclusively: Database["exclusively"] = async (work) => {
    const connection = await client.reserve().catch((error: unknown) => {
      throw translate(error);
    });
    try {
      return await work(onConnection(connection));
    } finally {
      connection.release();
    }
  };

  return {
    kind: "postgres",
    rows: (sql, parameters = []) => rows(client, sql, parameters),
    script: (sql) => script(client, sql),
    async transaction(work) {
      try {
        const { result } = await client.begin(async (handle) => ({ result: await work(inTransaction(handle)) }));
        return result;
      } catch (error) {
        throw translate(error);
      }
    },
    exclusively,
    async listen(channel, receive) {
      const { unlisten } = await client.listen(channel, receive);
      return unlisten;
    },
    close: () => client.end({ timeout: 5 }),
  };
};
