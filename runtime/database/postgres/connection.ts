/**
 * One connection to a PostgreSQL server: a client of postgres.js that never opens a second one (see `driver.ts`). Its errors
 * are those that clients get, with the driver's as their cause.
 */
import postgres from "postgres";
import type { Parameter, Row, Value } from "../database.ts";
import { DatabaseLostError, lacksFunction, translate } from "../fault.ts";
import { parameterText } from "../parameter.ts";
import {
  createSockets,
  demandParameters,
  driverOptions,
  sentOnce,
  type SessionSettings,
  withoutHoles,
} from "./driver.ts";
import { encryptionOf } from "./tls.ts";

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

/** Identifies a server process. Process ids are reused and are not unique across servers, hence the start time. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

const ENDED = "The connection to the database was lost";

const SELF =
  "select pg_backend_pid() as pid, (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as started";
const SELF_AND_SERVER = `${SELF}, pg_postmaster_start_time()::text as server`;

export class Connection {
  readonly #sockets: ReturnType<typeof createSockets>;
  readonly #driver: postgres.Sql;
  readonly #onLost: () => void;
  /** Rejects the statements that were sent and have no answer yet. */
  readonly #unanswered = new Set<(error: unknown) => void>();
  #progress = 0;
  #isLost = false;
  /** Whether a pooler is in between: the process that answers is not the one that was connected to. */
  isPooled = false;
  /** The server process of this connection; undefined if a pooler hides it. */
  backend: Backend | undefined;
  /** When the server was started, which tells it from others at the same address; undefined if a pooler hides it. */
  server: string | undefined;

  constructor(
    { url: address, patience }: Server,
    settings: SessionSettings,
    { onLost = () => {}, onNotify }: ConnectionEvents,
  ) {
    const { url, ssl } = encryptionOf(address);
    const sockets = createSockets(patience);
    const onclose = (): void => this.drop(ENDED);
    this.#sockets = sockets;
    this.#onLost = onLost;
    this.#driver = postgres(url, driverOptions({ sockets, patience, settings, ssl, onclose, onNotify }));
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Milliseconds for which the oldest unanswered statement has been running. */
  stuckFor(): number {
    return this.#unanswered.size === 0 ? 0 : performance.now() - this.#progress;
  }

  /** Runs one statement. Statements run in the order of the calls, one at a time. */
  async rows(sql: string, parameters: readonly Parameter[], prepare: boolean): Promise<readonly Row[]> {
    demandParameters(parameters);
    const query = this.#driver.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), { prepare });
    return withoutHoles(await this.#answerOf(query.values()));
  }

  /** Runs statements without parameters, and returns PostgreSQL's command tag of the last one, such as `COMMIT`. */
  async script(sql: string): Promise<string> {
    return commandOf(await this.#answerOf(this.#driver.unsafe(sql)));
  }

  /** Closes the connection at once. Statements without an answer fail. */
  drop(reason: string): void {
    if (this.#isLost) return;
    this.#stop(reason);
    this.#onLost();
  }

  /** Closes the connection when all statements are answered. */
  async close(): Promise<void> {
    if (this.#isLost) return;
    this.#isLost = true;
    await this.#driver.end({ timeout: 5 });
  }

  /** Finds out which process of which server answers; rejects if none does within `patience` milliseconds. */
  async start(patience: number): Promise<void> {
    const timeout = setTimeout(() => this.#stop("The database does not take connections"), patience);
    try {
      await this.#meet();
      this.#sockets.keep();
    } catch (error) {
      this.#stop(ENDED);
      throw error;
    } finally {
      clearTimeout(timeout);
    }
  }

  async #meet(): Promise<void> {
    const answer = await this.#answerOf(this.#driver.unsafe(SELF_AND_SERVER)).catch((error: unknown) => {
      // Servers that only speak the protocol of PostgreSQL may not know when they were started.
      if (!lacksFunction(error)) throw error;
      return this.#answerOf(this.#driver.unsafe(SELF));
    });
    const { pid, started, server }: Readonly<Record<string, unknown>> = answer[0] ?? {};
    this.isPooled = answer.state.pid !== pid;
    if (this.isPooled) return;
    if (typeof started === "string") this.backend = { pid: Number(pid), startedAt: started };
    if (typeof server === "string") this.server = server;
  }

  #stop(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    for (const fail of this.#unanswered) fail(new DatabaseLostError(reason));
    void this.#driver.end({ timeout: 0 });
    this.#sockets.destroy();
  }

  /** Sends a statement, which fails when the connection is lost, whatever the driver does. */
  #answerOf<Result>(query: Promise<Result>): Promise<Result> {
    if (this.#isLost) return Promise.reject(new DatabaseLostError(ENDED));
    if (this.#unanswered.size === 0) this.#progress = performance.now();
    this.#sockets.batch();
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      const answered = async (): Promise<Result> => {
        try {
          return await sentOnce(query);
        } finally {
          this.#progress = performance.now();
          this.#unanswered.delete(reject);
        }
      };
      answered().then(resolve, (error: unknown) => reject(translate(error)));
    });
  }
}

/**
 * Opens a connection.
 *
 * @throws the error for which the server did not accept it
 */
export const openConnection = async (
  server: Server,
  settings: SessionSettings,
  events: ConnectionEvents = {},
): Promise<Connection> => {
  const connection = new Connection(server, settings, events);
  await connection.start(server.patience);
  return connection;
};

/** The command tag of the last of several statements. */
const commandOf = (result: { readonly command?: string }): string => {
  const last: unknown = Array.isArray(result) ? result.at(-1) : undefined;
  return result.command ?? (typeof last === "object" && last && "command" in last ? String(last.command) : "");
};
