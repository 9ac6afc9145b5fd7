/** One connection to a PostgreSQL server: a client of postgres.js that never opens a second one (see `driver.ts`). */
import postgres from "postgres";
import type { Parameter, Row, Value } from "../database.ts";
import { DatabaseLostError } from "../fault.ts";
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
import { encryptionOf } from "./tls.ts";

export interface Connection extends Self {
  readonly isLost: boolean;
  /** Milliseconds for which the oldest unanswered statement has been running. */
  stuckFor(): number;
  /** Runs one statement. Statements run in the order of the calls, one at a time. */
  rows(sql: string, parameters: readonly Parameter[], prepare: boolean): Promise<readonly Row[]>;
  /** Runs statements without parameters, and returns PostgreSQL's command tag of the last one, such as `COMMIT`. */
  script(sql: string): Promise<string>;
  /** Closes the connection at once. Statements without an answer fail. */
  drop(reason: string): void;
  /** Closes the connection when all statements are answered. */
  close(): Promise<void>;
}

export interface ConnectionEvents {
  /** Called when the connection has ended without being closed by us. */
  onLost?(): void;
  onNotify?(channel: string, payload: string): void;
}

export interface Server {
  readonly url: string;
  /** Milliseconds in which the server must accept the connection. */
  readonly patience: number;
}

const ENDED = "The connection to the database was lost";

/**
 * Opens a connection.
 *
 * @throws the error for which the server did not accept it
 */
export const openConnection = async (
  { url: address, patience }: Server,
  settings: SessionSettings,
  { onLost, onNotify }: ConnectionEvents = {},
): Promise<Connection> => {
  const { url, ssl } = encryptionOf(address);
  const sockets = createSockets(patience);
  /** What fails the statements that were sent and have no answer yet. */
  const unanswered = new Set<(error: unknown) => void>();
  let progress = 0;
  let isLost = false;
  let self: Self = { isPooled: false, backend: undefined, server: undefined };

  const stop = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    for (const fail of unanswered) fail(new DatabaseLostError(reason));
    void driver.end({ timeout: 0 });
    sockets.destroy();
  };
  const drop = (reason: string): void => {
    if (isLost) return;
    stop(reason);
    onLost?.();
  };
  const onclose = (): void => drop(ENDED);
  const driver = postgres(url, driverOptions({ sockets, patience, settings, ssl, onclose, onNotify }));

  /** Sends a statement, which fails when the connection is lost, whatever the driver does. */
  const answerOf = <Result>(query: Promise<Result>): Promise<Result> => {
    if (isLost) return Promise.reject(new DatabaseLostError(ENDED));
    if (unanswered.size === 0) progress = performance.now();
    return new Promise((resolve, reject) => {
      unanswered.add(reject);
      const answered = async (): Promise<Result> => {
        try {
          return await sentOnce(query);
        } finally {
          progress = performance.now();
          unanswered.delete(reject);
        }
      };
      answered().then(resolve, reject);
    });
  };

  const connection: Connection = {
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
    stuckFor: () => (unanswered.size === 0 ? 0 : performance.now() - progress),
    async rows(sql, parameters, prepare) {
      demandParameters(parameters);
      const query = driver.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), { prepare }).values();
      return withoutHoles(await answerOf(query));
    },
    script: async (sql) => commandOf(await answerOf(driver.unsafe(sql))),
    drop,
    async close() {
      if (isLost) return;
      isLost = true;
      await driver.end({ timeout: 5 });
    },
  };

  const timeout = setTimeout(() => stop("The database does not take connections"), patience);
  try {
    self = await askSelf((sql) => answerOf(driver.unsafe(sql)));
    sockets.keep();
    return connection;
  } catch (error) {
    stop(ENDED);
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
