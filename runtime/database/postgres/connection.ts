/**
 * One connection to a PostgreSQL server: a client of postgres.js that never opens a second connection.
 *
 * postgres.js does several things on its own, such as retrying; docs/database.md lists them under "The driver". This
 * file and `socket.ts` prevent those.
 */
import type { Socket } from "node:net";
import postgres from "postgres";
import { AbandonedError, ServiceUnavailableError } from "../../base/errors.ts";
import type { Asker, Parameter, Row, Value } from "../database.ts";
import { isEnded, lacksFunction, MistakenError } from "../fault.ts";
import { parameterText } from "../parameter.ts";
import { type DriverQuery, once, removeHoles } from "./driver-query.ts";
import { createSockets } from "./socket.ts";
import { driverTypes } from "./types.ts";

/**
 * The protocol counts parameters with 16 bits. The driver checks that too late, after which answers would be assigned
 * to the wrong statements.
 */
const PARAMETERS = 65_533;

/** Identifies a server process. Process ids are reused and are not unique across servers, hence the start time. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

export interface Connection {
  /** Number of statements that were sent and have no answer yet. */
  readonly waiting: number;
  readonly isLost: boolean;
  /** Whether a pooler is in between: the process that answers is not the one that was connected to. */
  readonly isPooled: boolean;
  /** The server process of this connection; undefined if a pooler hides it. */
  readonly backend: Backend | undefined;
  /** When the server was started, which tells it from others at the same address; undefined if a pooler hides it. */
  readonly server: string | undefined;
  /** Whether nobody waits for the running statement any more, so that it may be cancelled. */
  readonly isAbandoned: boolean;
  /** Milliseconds for which the oldest unanswered statement has been running. */
  stuckFor(): number;
  /** Runs one statement. Statements run in the order of the calls, one at a time. */
  rows(sql: string, parameters: readonly Parameter[], prepare: boolean, asker?: Asker): Promise<readonly Row[]>;
  /** Runs statements without parameters, and returns PostgreSQL's command tag of the last one, such as `COMMIT`. */
  script(sql: string): Promise<string>;
  /**
   * Call this before the server is told to cancel the running statement. If a later statement is hit instead, that one
   * fails with a MistakenError. Resolves when the statement that was running has been answered.
   */
  expectEnd(): Promise<void>;
  /** Closes the connection at once. Statements without an answer fail. */
  drop(reason: string): void;
  /**
   * Hands over the socket while no statement waits: from now on the caller reads what arrives, and the driver sends
   * nothing but the end. Undefined if the driver encrypts what it sends.
   */
  takeOver(): Socket | undefined;
  /** Closes the connection when all statements are answered. */
  close(): Promise<void>;
}

export interface ConnectionEvents {
  /** Called when a statement has been answered. */
  onAnswer?(): void;
  /** Called when the connection has ended without being closed by us. */
  onLost?(): void;
  onNotify?(channel: string, payload: string): void;
}

/** Settings of a session, by PostgreSQL's names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

export interface Server {
  readonly url: string;
  /** Milliseconds in which the server must accept the connection. */
  readonly patience: number;
}

const lost = (reason: string): ServiceUnavailableError => new ServiceUnavailableError(reason);
const ENDED = "The connection to the database was lost";

const SELF =
  "select pg_backend_pid() as pid, (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as started";
const SELF_AND_SERVER = `${SELF}, pg_postmaster_start_time()::text as server`;

/** A statement that was sent and has no answer yet. */
interface Sent {
  readonly query: DriverQuery<unknown>;
  /** The client that waits; undefined for statements that must run anyway, and exactly once. */
  readonly asker: Asker | undefined;
  /** Whether it is a single statement, which may run again after it was cancelled. */
  readonly isSingle: boolean;
  /** What a cancellation of this statement means: its client has gone, or another statement was meant. */
  end: "abandoned" | "mistaken" | undefined;
  /** Called when the statement has been answered. */
  onAnswer: (() => void) | undefined;
}

/**
 * What statements and answers are written in, whatever the server, the database or the role sets. Poolers keep these for
 * each of their clients; `ISO, MDY` is how the server says it, so that they find nothing to change.
 */
const NOTATION = { TimeZone: "UTC", DateStyle: "ISO, MDY", standard_conforming_strings: "on" };

/**
 * The driver's options. All are set explicitly, so that neither the address nor environment variables change its
 * behaviour.
 */
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
  connection: { application_name: "galley", ...NOTATION, ...settings },
  socket: sockets.open,
  onclose,
  onnotice: () => {},
  ...(onNotify ? { onnotify: onNotify } : {}),
});

/**
 * Opens a connection.
 *
 * @throws the error for which the server did not accept it
 */
export const openConnection = async (
  { url, patience }: Server,
  settings: SessionSettings,
  events: ConnectionEvents = {},
): Promise<Connection> => {
  const sockets = createSockets(patience);
  /** Unanswered statements, in the order in which they will be answered. */
  const waiting: Sent[] = [];
  let isLost = false;
  let isPooled = false;
  let backend: Backend | undefined;
  let server: string | undefined;
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

  /**
   * Sends a statement and tracks it in `waiting`, so that it fails when the connection is lost, whatever the driver
   * does.
   */
  const answerOf = <Result>(query: DriverQuery<Result>, isSingle: boolean, asker?: Asker): Promise<Result> => {
    if (isLost) return Promise.reject(lost(ENDED));
    if (waiting.length === 0) progress = performance.now();
    const sent: Sent = { query, asker, isSingle, end: undefined, onAnswer: undefined };
    waiting.push(sent);
    sockets.hold();
    return query.then(
      (result) => {
        answered(sent);
        removeHoles(result);
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
    get server() {
      return server;
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
    takeOver: () => sockets.takeOver(),
    async close() {
      if (isLost) return;
      isLost = true;
      await client.end({ timeout: 5 });
    },
  };

  const timeout = setTimeout(() => end("The database does not take connections"), patience);
  try {
    const answer = await answerOf(once(client.unsafe(SELF_AND_SERVER)), false).catch((error: unknown) => {
      // Servers that only speak the protocol of PostgreSQL may not know when they were started.
      if (!lacksFunction(error)) throw error;
      return answerOf(once(client.unsafe(SELF)), false);
    });
    sockets.keep();
    const pid: unknown = answer[0]?.["pid"];
    const started: unknown = answer[0]?.["started"];
    isPooled = answer.state.pid !== pid;
    if (!isPooled && typeof started === "string") backend = { pid: Number(pid), startedAt: started };
    const start: unknown = answer[0]?.["server"];
    if (!isPooled && typeof start === "string") server = start;
    return connection;
  } catch (error) {
    end(ENDED);
    throw error;
  } finally {
    clearTimeout(timeout);
  }
};

/** The error to report for a failed statement. */
const meant = (error: unknown, { end }: Sent): unknown => {
  if (end === undefined || !isEnded(error)) return error;
  return end === "abandoned" ? new AbandonedError() : Object.assign(new MistakenError(), { cause: error });
};

/** The command tag of the last of several statements. */
const commandOf = (result: { readonly command?: string }): string => {
  const last: unknown = Array.isArray(result) ? result.at(-1) : undefined;
  return result.command ?? (typeof last === "object" && last && "command" in last ? String(last.command) : "");
};
