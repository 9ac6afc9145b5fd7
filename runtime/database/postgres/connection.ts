/** One connection to a PostgreSQL server: a client of postgres.js that never opens a second one (see `driver.ts`). */
import postgres from "postgres";
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Client, Parameter, Row, Value } from "../database.ts";
import { parameterText } from "../parameter.ts";
import {
  createSockets,
  demandParameters,
  driverOptions,
  sentOnce,
  type SessionSettings,
  withoutHoles,
} from "./driver.ts";
import { askSelf, type Self } from "./self.ts";
import { meant, type Purpose, type Sent, Unanswered } from "./unanswered.ts";

export interface Connection extends Self {
  /** Number of statements that were sent and have no answer yet. */
  readonly waiting: number;
  readonly isLost: boolean;
  /** Whether nobody waits for the running statement any more, so that it may be cancelled. */
  readonly isAbandoned: boolean;
  /** Milliseconds for which the oldest unanswered statement has been running. */
  stuckFor(): number;
  /** Runs one statement. Statements run in the order of the calls, one at a time. */
  rows(sql: string, parameters: readonly Parameter[], prepare: boolean, client?: Client): Promise<readonly Row[]>;
  /** Runs statements without parameters, and returns PostgreSQL's command tag of the last one, such as `COMMIT`. */
  script(sql: string): Promise<string>;
  /**
   * Call this before the server is told to cancel the running statement. If a later statement is hit instead, that one
   * fails with a MistakenError. Resolves when the statement that was running has been answered.
   */
  expectEnd(): Promise<void>;
  /** Closes the connection at once. Statements without an answer fail. */
  drop(reason: string): void;
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

export interface Server {
  readonly url: string;
  /** Milliseconds in which the server must accept the connection. */
  readonly patience: number;
}

const lost = (reason: string): ServiceUnavailableError => new ServiceUnavailableError(reason);
const ENDED = "The connection to the database was lost";

/**
 * Opens a connection.
 *
 * @throws the error for which the server did not accept it
 */
export const openConnection = async (
  { url, patience }: Server,
  settings: SessionSettings,
  { onAnswer, onLost, onNotify }: ConnectionEvents = {},
): Promise<Connection> => {
  const sockets = createSockets(patience);
  const unanswered = new Unanswered();
  let isLost = false;
  let self: Self = { isPooled: false, backend: undefined, server: undefined };

  const end = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    unanswered.failAll(lost(reason));
    void driver.end({ timeout: 0 });
    sockets.destroy();
  };
  const drop = (reason: string): void => {
    if (isLost) return;
    end(reason);
    onLost?.();
  };
  const onclose = (): void => drop(ENDED);
  const driver = postgres(url, driverOptions({ sockets, patience, settings, onclose, onNotify }));

  /** Sends a statement, which fails when the connection is lost, whatever the driver does. */
  const answerOf = async <Result>(query: Promise<Result>, purpose: Purpose): Promise<Result> => {
    if (isLost) throw lost(ENDED);
    let sent: Sent | undefined;
    try {
      return await new Promise<Result>((resolve, reject) => {
        sent = unanswered.add(purpose, reject);
        sentOnce(query).then(resolve, reject);
      });
    } catch (error) {
      throw meant(error, sent);
    } finally {
      unanswered.answered(sent);
      onAnswer?.();
    }
  };

  const connection: Connection = {
    get waiting() {
      return unanswered.count;
    },
    get isLost() {
      return isLost;
    },
    get isPooled() {
      return self.isPooled;
    },
    get backend() {
      return self.backend;
    },
    get server() {
      return self.server;
    },
    get isAbandoned() {
      return unanswered.isAbandoned;
    },
    stuckFor: () => unanswered.stuckFor(),
    async rows(sql, parameters, prepare, client) {
      demandParameters(parameters);
      const query = driver.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), { prepare }).values();
      return withoutHoles(await answerOf(query, { isSingle: true, client }));
    },
    script: async (sql) => commandOf(await answerOf(driver.unsafe(sql), { isSingle: false })),
    expectEnd: () => unanswered.expectEnd(),
    drop,
    async close() {
      if (isLost) return;
      isLost = true;
      await driver.end({ timeout: 5 });
    },
  };

  const timeout = setTimeout(() => end("The database does not take connections"), patience);
  try {
    self = await askSelf((sql) => answerOf(driver.unsafe(sql), { isSingle: false }));
    sockets.keep();
    return connection;
  } catch (error) {
    end(ENDED);
    throw error;
  } finally {
    clearTimeout(timeout);
  }
};

/** The command tag of the last of several statements. */
const commandOf = (result: { readonly command?: string }): string => {
  const last: unknown = Array.isArray(result) ? result.at(-1) : undefined;
  return result.command ?? (typeof last === "object" && last && "command" in last ? String(last.command) : "");
};
