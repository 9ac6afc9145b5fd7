/**
 * One connection to a PostgreSQL server: a client of postgres.js that never has another.
 *
 * What the driver does on its own beyond sending and receiving is listed in docs/database.md, "The driver"; here and in
 * `postgres-socket.ts` stands what keeps it from doing so.
 */
import postgres from "postgres";
import { AbandonedError, ServiceUnavailableError } from "../base/errors.ts";
import type { Asker, Parameter, Row, Value } from "./database.ts";
import { type DriverQuery, once } from "./driver-query.ts";
import { isEnded, MistakenError } from "./fault.ts";
import { parameterText } from "./parameter.ts";
import { createSockets } from "./postgres-socket.ts";
import { driverTypes } from "./postgres-types.ts";

/** The protocol counts parameters in 16 bits. The driver notices too many of them too late: answers get mixed up. */
const PARAMETERS = 65_533;

/** A process of the server, told apart from those that have its number later or elsewhere. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

export interface Connection {
  /** Statements that were sent and have not been answered. */
  readonly waiting: number;
  readonly isLost: boolean;
  /** Whether the server that answers is another than the one that was connected to. */
  readonly isPooled: boolean;
  /** What answers; undefined where the server between does not tell. */
  readonly backend: Backend | undefined;
  /** Whether nobody waits for the answer to the statement that runs, so that it may be ended. */
  readonly isAbandoned: boolean;
  /** Milliseconds for which the first of those that wait has been waiting for nothing but itself. */
  stuckFor(): number;
  /** Runs one statement. Statements run in the order of the calls; each is over before the next begins. */
  rows(sql: string, parameters: readonly Parameter[], prepare: boolean, asker?: Asker): Promise<readonly Row[]>;
  /** Runs statements without parameters, and says what PostgreSQL called the last: `COMMIT`, `ROLLBACK`. */
  script(sql: string): Promise<string>;
  /**
   * To be called before the server is told to end the statement that runs. One of those behind it may be hit instead:
   * it fails with a MistakenError then. Resolves when the one that ran has been answered.
   */
  expectEnd(): Promise<void>;
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

const SELF =
  "select pg_backend_pid() as pid, (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as started";

/** A statement that was sent and has not been answered. */
interface Sent {
  readonly query: DriverQuery<unknown>;
  /** Undefined for statements that have to be run in any case, and as often as they were sent. */
  readonly asker: Asker | undefined;
  /** Whether it may run again when it was ended. */
  readonly isSingle: boolean;
  /** What it means when it is ended. */
  end: "abandoned" | "mistaken" | undefined;
  /** Told when it has been answered. */
  onAnswer: (() => void) | undefined;
}

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
  /** In the order in which they are answered. */
  const waiting: Sent[] = [];
  let isLost = false;
  let isPooled = false;
  let backend: Backend | undefined;
  let progress = 0;

  const end = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    const error = lost(reason);
    for (const { query } of waiting.splice(0)) query.reject(error);
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

  const answered = (sent: Sent): void => {
    const place = waiting.indexOf(sent);
    if (place >= 0) waiting.splice(place, 1);
    progress = performance.now();
    sent.onAnswer?.();
    events.onAnswer?.();
  };

  /** Sends it. What waits is known here, so that it fails with the connection whatever the driver does with it. */
  const answerOf = <Result>(query: DriverQuery<Result>, isSingle: boolean, asker?: Asker): Promise<Result> => {
    if (isLost) return Promise.reject(lost(ENDED));
    if (waiting.length === 0) progress = performance.now();
    const sent: Sent = { query, asker, isSingle, end: undefined, onAnswer: undefined };
    waiting.push(sent);
    return query.then(
      (result) => {
        answered(sent);
        return result;
      },
      (error: unknown) => {
        answered(sent);
        throw meant(error, sent);
      },
    );
  };

  const connection: Connection = {
    get waiting() {
      return waiting.length;
    },
    get isLost() {
      return isLost;
    },
    get isPooled() {
      return isPooled;
    },
    get backend() {
      return backend;
    },
    get isAbandoned() {
      const [first, ...others] = waiting;
      return first?.asker?.isGone === true && others.every(({ isSingle }) => isSingle);
    },
    stuckFor: () => (waiting.length === 0 ? 0 : performance.now() - progress),
    rows(sql, parameters, prepare, asker) {
      if (parameters.length > PARAMETERS)
        return Promise.reject(new RangeError("Too many parameters for one statement"));
      const texts = parameters.map(parameterText);
      return answerOf(once(client.unsafe<Record<string, Value>[]>(sql, texts, { prepare }).values()), true, asker);
    },
    script: (sql) => answerOf(once(client.unsafe(sql)), false).then(commandOf),
    expectEnd() {
      const [first, ...others] = waiting;
      for (const sent of others) sent.end = "mistaken";
      if (!first) return Promise.resolve();
      first.end = "abandoned";
      return new Promise((resolve) => {
        first.onAnswer = resolve;
      });
    },
    drop,
    async close() {
      if (isLost) return;
      isLost = true;
      await client.end({ timeout: 5 });
    },
  };

  const timeout = setTimeout(() => end("The database does not take connections"), patience);
  try {
    const answer = await answerOf(once(client.unsafe(SELF)), false);
    sockets.keep();
    const pid: unknown = answer[0]?.["pid"];
    const started: unknown = answer[0]?.["started"];
    isPooled = answer.state.pid !== pid;
    if (!isPooled && typeof started === "string") backend = { pid: Number(pid), startedAt: started };
    return connection;
  } catch (error) {
    end(ENDED);
    throw error;
  } finally {
    clearTimeout(timeout);
  }
};

/** What it means that a statement has failed. */
const meant = (error: unknown, { end }: Sent): unknown => {
  if (end === undefined || !isEnded(error)) return error;
  return end === "abandoned" ? new AbandonedError() : Object.assign(new MistakenError(), { cause: error });
};

/** Of several statements, the last tells. */
const commandOf = (result: { readonly command?: string }): string => {
  const last: unknown = Array.isArray(result) ? result.at(-1) : undefined;
  return result.command ?? (typeof last === "object" && last && "command" in last ? String(last.command) : "");
};
