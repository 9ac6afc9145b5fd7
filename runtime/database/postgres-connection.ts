/**
 * One connection to a PostgreSQL server: a client of postgres.js that never has another.
 *
 * What the driver does on its own beyond sending and receiving is listed in docs/database.md, "The driver"; here and in
 * `postgres-socket.ts` stands what keeps it from doing so.
 */
import postgres from "postgres";
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Parameter, Row, Value } from "./database.ts";
import { parameterText } from "./parameter.ts";
import { createSockets } from "./postgres-socket.ts";
import { driverTypes } from "./postgres-types.ts";

/** The protocol counts parameters in 16 bits. The driver notices too many of them too late: answers get mixed up. */
const PARAMETERS = 65_533;

export interface Connection {
  /** Statements that were sent and have not been answered. */
  readonly waiting: number;
  readonly isLost: boolean;
  /** Whether the server that answers is another than the one that was connected to. */
  readonly isPooled: boolean;
  /** Milliseconds for which the first of those that wait has been waiting for nothing but itself. */
  stuckFor(): number;
  /** Runs one statement. Statements run in the order of the calls; each is over before the next begins. */
  rows(sql: string, parameters: readonly Parameter[], prepare: boolean): Promise<readonly Row[]>;
  /** Runs statements without parameters, and says what PostgreSQL called the last: `COMMIT`, `ROLLBACK`. */
  script(sql: string): Promise<string>;
  /** Ends it at once. What waits fails. */
  drop(reason: string): void;
  /** Ends it when nothing waits any more. */
  close(): Promise<void>;
}

export interface ConnectionEvents {
  /** A statement has been answered. */
  onAnswer?(): void;
  /** The connection has ended before it was closed. */
  onLost?(): void;
  onNotify?(channel: string, payload: string): void;
}

/** Settings of a session, by the names that PostgreSQL has for them. */
export type SessionSettings = Readonly<Record<string, string | number>>;

export interface Server {
  readonly url: string;
  /** Milliseconds in which it has to take a new connection. */
  readonly patience: number;
}

const lost = (reason: string): ServiceUnavailableError => new ServiceUnavailableError(reason);
const ENDED = "The connection to the database was lost";

/** A statement as the driver knows it: a promise that sends it when somebody first asks for its answer. */
interface DriverQuery<Result> extends Promise<Result> {
  cancelled: unknown;
  reject(error: unknown): void;
}

/**
 * The driver sends some statements again when they fail, by then outside of their transaction. It notes so in this
 * property, and sends nothing that was cancelled.
 */
const neverAgain: PropertyDescriptor & ThisType<DriverQuery<unknown>> = {
  set(error: unknown) {
    this.cancelled = true;
    this.reject(error);
  },
};

let sentOnce: object | null = null;

/**
 * Keeps the driver from sending it again. All of them share one prototype: a property of its own would turn each into an
 * object that the engine is slow with.
 */
const once = <Result>(query: PromiseLike<Result>): DriverQuery<Result> => {
  sentOnce ??= Object.create(Object.getPrototypeOf(query), { retried: neverAgain });
  return Object.setPrototypeOf(query, sentOnce);
};

/** Options of the driver. None is left to the address or to the environment that could let it act on its own. */
const driverOptions = (
  sockets: ReturnType<typeof createSockets>,
  patience: number,
  settings: SessionSettings,
  { onNotify }: ConnectionEvents,
  onclose: () => void,
) => ({
  max: 1,
  max_lifetime: null,
  idle_timeout: 0,
  connect_timeout: patience / 1000,
  backoff: () => 0,
  prepare: true,
  debug: false,
  fetch_types: false,
  types: driverTypes,
  connection: { application_name: "galley", TimeZone: "UTC", ...settings },
  socket: sockets.open,
  onclose,
  onnotice: () => {},
  ...(onNotify ? { onnotify: onNotify } : {}),
});

/**
 * Opens a connection.
 *
 * @throws what kept the server from taking it
 */
export const openConnection = async (
  { url, patience }: Server,
  settings: SessionSettings,
  events: ConnectionEvents = {},
): Promise<Connection> => {
  const sockets = createSockets(patience);
  const waiting = new Set<DriverQuery<unknown>>();
  let isLost = false;
  let isPooled = false;
  let progress = 0;

  const end = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    const error = lost(reason);
    for (const query of waiting) query.reject(error);
    waiting.clear();
    void client.end({ timeout: 0 });
    sockets.destroy();
  };
  const drop = (reason: string): void => {
    if (isLost) return;
    end(reason);
    events.onLost?.();
  };
  const client = postgres(
    url,
    driverOptions(sockets, patience, settings, events, () => drop(ENDED)),
  );

  const answered = (query: DriverQuery<unknown>): void => {
    waiting.delete(query);
    progress = performance.now();
    events.onAnswer?.();
  };

  /** Sends it. What waits is known here, so that it fails with the connection whatever the driver does with it. */
  const answerOf = <Result>(query: DriverQuery<Result>): Promise<Result> => {
    if (isLost) return Promise.reject(lost(ENDED));
    if (waiting.size === 0) progress = performance.now();
    waiting.add(query);
    return query.then(
      (result) => {
        answered(query);
        return result;
      },
      (error: unknown) => {
        answered(query);
        throw error;
      },
    );
  };

  const connection: Connection = {
    get waiting() {
      return waiting.size;
    },
    get isLost() {
      return isLost;
    },
    get isPooled() {
      return isPooled;
    },
    stuckFor: () => (waiting.size === 0 ? 0 : performance.now() - progress),
    rows(sql, parameters, prepare) {
      if (parameters.length > PARAMETERS)
        return Promise.reject(new RangeError("Too many parameters for one statement"));
      const texts = parameters.map(parameterText);
      return answerOf(once(client.unsafe<Record<string, Value>[]>(sql, texts, { prepare }).values()));
    },
    script: (sql) => answerOf(once(client.unsafe(sql))).then(commandOf),
    drop,
    async close() {
      if (isLost) return;
      isLost = true;
      await client.end({ timeout: 5 });
    },
  };

  const timeout = setTimeout(() => end("The database does not take connections"), patience);
  try {
    const answer = await answerOf(once(client.unsafe("select pg_backend_pid() as pid")));
    sockets.keep();
    isPooled = answer.state.pid !== answer[0]?.["pid"];
    return connection;
  } catch (error) {
    end(ENDED);
    throw error;
  } finally {
    clearTimeout(timeout);
  }
};

/** Of several statements, the last tells. */
const commandOf = (result: { readonly command?: string }): string => {
  const last: unknown = Array.isArray(result) ? result.at(-1) : undefined;
  return result.command ?? (typeof last === "object" && last && "command" in last ? String(last.command) : "");
};
