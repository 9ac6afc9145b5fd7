/** An external PostgreSQL, by postgres.js. */
import { setTimeout } from "node:timers/promises";
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

const options = {
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
};

type Client = ReturnType<typeof connect>;
type Handle = Pick<Client, "unsafe">;

interface Connections {
  /** The most at a time. */
  readonly max: number;
  /** Seconds for which each lives; null for as long as it is used. */
  readonly max_lifetime: number | null;
  /** Told of connections that have ended. */
  onclose(connection: number): void;
}

/** `random_page_cost` suits solid-state disks; without it short joins become scans of whole tables. */
const connect = (url: string, connections: Connections, tuned: boolean) =>
  postgres(url, {
    ...options,
    ...connections,
    connection: { application_name: "galley", TimeZone: "UTC", ...(tuned ? { random_page_cost: 1.1 } : {}) },
  });

const refusesSettings = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === "08P01" || error.code === "42501");

/** Connection poolers may refuse settings that they do not know: then we do without. */
const firstConnection = async (
  url: string,
  connections: Connections,
): Promise<{ readonly client: Client; readonly tuned: boolean }> => {
  const tuned = connect(url, connections, true);
  try {
    await tuned.unsafe("select 1");
    return { client: tuned, tuned: true };
  } catch (error) {
    await tuned.end({ timeout: 0 });
    if (!refusesSettings(error)) throw error;
  }
  const plain = connect(url, connections, false);
  await plain.unsafe("select 1");
  return { client: plain, tuned: false };
};

/** Runs one statement; `watch` are options of the driver. */
type Rows = (handle: Handle, sql: string, parameters: readonly Parameter[], watch?: object) => Promise<readonly Row[]>;

const runRows =
  (isPrepared: Preparation): Rows =>
  async (handle, sql, parameters, watch) => {
    const options = { prepare: isPrepared(sql), ...watch };
    try {
      return await handle.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), options).values();
    } catch (error) {
      throw translate(error);
    }
  };

const script = async (handle: Handle, sql: string, watch = {}): Promise<void> => {
  try {
    await handle.unsafe(sql, [], watch);
  } catch (error) {
    throw translate(error);
  }
};

type Statements = Pick<Session, "rows" | "script">;

/** Statements on a connection of one's own; when it is lost, they fail at once. */
const onHeld = (rows: Rows, handle: Handle, hold: Hold, holds?: Holds): Statements => {
  const unlessLost = async <Result>(run: (watch: object) => Promise<Result>): Promise<Result> => {
    if (hold.isLost) throw new ServiceUnavailableError("The connection to the database was lost");
    return await run(holds ? holds.watch(hold) : {});
  };
  return {
    rows: (sql, parameters = []) => unlessLost((watch) => rows(handle, sql, parameters, watch)),
    script: (sql) => unlessLost((watch) => script(handle, sql, watch)),
  };
};

/** The driver tells whoever waited for a connection why the last one ended, once there is a new one. */
const isOfAnother = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && translate(error) instanceof ServiceUnavailableError;

/** Milliseconds after which a connection that may be lost is taken to be there after all. */
const GRACE = 1000;

/** Whether the driver has given a transaction up; it does as soon as it notices that the connection is lost. */
const isGivenUp = (begun: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    begun.then(
      () => true,
      () => true,
    ),
    setTimeout(GRACE, false, { ref: false }),
  ]);

type Ended<Result> = { readonly result: Result } | { readonly error: unknown };

const endOf = async <Result>(work: () => Promise<Result>): Promise<Ended<Result>> => {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
};

/** The driver's own transactions: its reserved connections are lost to it when they have to be opened first. */
const createTransactions =
  (client: Client, rows: Rows, holds: Holds): Session["transaction"] =>
  async <Result>(work: (session: Session) => Promise<Result>): Promise<Result> => {
    let hasBegun = false;
    let outcome: { readonly result: Result } | undefined;
    const run = (): Promise<unknown> => {
      const begun = client.begin(async (handle) => {
        hasBegun = true;
        const hold = holds.take();
        const inside: Session = { ...onHeld(rows, handle, hold, holds), transaction: (nested) => nested(inside) };
        const ended = await endOf(() => work(inside));
        holds.release(hold);
        // Whatever ended the transaction now would go to where nobody is, and bring the driver down.
        const mayBeLost = hold.isLost || ("error" in ended && ended.error instanceof ServiceUnavailableError);
        if (mayBeLost && (await isGivenUp(begun))) await new Promise(() => {});
        if ("error" in ended) throw ended.error;
        outcome = ended;
      });
      return begun;
    };
    try {
      await run().catch((error: unknown) => {
        if (hasBegun || !isOfAnother(error)) throw error;
        return run();
      });
    } catch (error) {
      throw translate(error);
    }
    if (!outcome) throw new Error("A transaction ended without a result");
    return outcome.result;
  };

/**
 * Connects to the PostgreSQL at `url` with at most `pool` connections.
 * Throws when it cannot be reached now; when it is lost later, statements fail with status 503 until it is back.
 */
export const openPostgres = async (url: string, pool: number): Promise<Database> => {
  const holds = createHolds();
  const { client, tuned } = await firstConnection(url, {
    max: pool,
    // Different for every process, so that they do not all connect anew at once.
    max_lifetime: Math.round((RENEWAL / 1000) * (0.5 + Math.random() / 2)),
    onclose: holds.onClose,
  });
  const rows = runRows(createPreparation());

  return {
    kind: "postgres",
    rows: (sql, parameters = []) => rows(client, sql, parameters),
    script: (sql) => script(client, sql),
    transaction: createTransactions(client, rows, holds),
    async exclusively(work) {
      const hold: Hold = { isLost: false };
      const ownHolds = createHolds();
      const onclose = (connection: number): void => {
        hold.isLost = true;
        ownHolds.onClose(connection);
      };
      const own = connect(url, { max: 1, max_lifetime: null, onclose }, tuned);
      try {
        await script(own, "select 1");
        return await work({
          ...onHeld(rows, own, hold),
          transaction: createTransactions(own, rows, ownHolds),
        });
      } finally {
        await own.end({ timeout: 5 });
      }
    },
    async listen(channel, receive) {
      const { unlisten } = await client.listen(channel, receive);
      return () =>
        unlisten().catch((error: unknown) => {
          // Where there is no connection, nobody listens.
          if (!(translate(error) instanceof ServiceUnavailableError)) throw error;
        });
    },
    close: () => client.end({ timeout: 5 }),
  };
};
