/**
 * Runs one statement without parameters again and again, on a connection of its own. The driver opens the connection; then
 * this file sends and reads the messages itself, which takes a quarter of the driver's time.
 */
import type { Socket } from "node:net";
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { message, messageReader, textIn, type Texts, textsIn } from "./messages.ts";

/** The driver's names of statements are longer. */
const NAME = textIn("again");
const UNNAMED = textIn("");
const NONE = Buffer.alloc(2);
const ALL_ROWS = Buffer.alloc(4);
const SYNC = message("S");

const prepare = (sql: string): Buffer => Buffer.concat([message("P", NAME, textIn(sql), NONE), SYNC]);

const RUN = Buffer.concat([message("B", UNNAMED, NAME, NONE, NONE, NONE), message("E", UNNAMED, ALL_ROWS), SYNC]);

/** Milliseconds until the next attempt after the connection was lost, or could not be opened. */
const REST = 1000;

export interface LineLimits {
  /** Milliseconds without an answer after which the connection is dropped. */
  readonly silence: number;
  /** Milliseconds after which the connection is replaced. */
  readonly lifetime: number;
}

export interface Line {
  /**
   * Runs the statement; its row is from after the call. Undefined while the line cannot be used: there is no connection
   * (then one is opened), or it still waits for an answer. Rejects when the connection is lost.
   */
  ask(): Promise<Texts> | undefined;
  /** Opens another connection for what is asked from now on. */
  renew(): void;
  close(): Promise<void>;
}

/** A statement that was sent and has no answer yet. */
interface Sent {
  readonly at: number;
  resolve(row: Texts): void;
  reject(error: unknown): void;
}

/** A connection on which the statement is prepared, or being prepared. */
class Talk {
  readonly connection: Connection;
  readonly until: number;
  readonly #socket: Socket;
  #isPrepared = false;
  #isReady = false;
  #sent: Sent | undefined;
  #row: Texts | undefined;

  constructor(connection: Connection, socket: Socket, sql: string, lifetime: number) {
    this.connection = connection;
    this.until = performance.now() + lifetime * (0.5 + Math.random() / 2);
    this.#socket = socket;
    socket.on(
      "data",
      messageReader((type, body) => this.#take(type, body)),
    );
    socket.write(prepare(sql));
  }

  get isFree(): boolean {
    return this.#isReady && this.#sent === undefined && !this.connection.isLost;
  }

  /** Milliseconds for which the statement has been running. */
  get waitsFor(): number {
    return this.#sent === undefined ? 0 : performance.now() - this.#sent.at;
  }

  run(): Promise<Texts> {
    return new Promise((resolve, reject) => {
      this.#sent = { at: performance.now(), resolve, reject };
      this.#socket.write(RUN);
    });
  }

  fail(): void {
    this.#sent?.reject(new ServiceUnavailableError("The connection to the database was lost"));
    this.#sent = undefined;
  }

  #take(type: string, body: Buffer): void {
    if (type === "1") this.#isPrepared = true;
    else if (type === "D") this.#row = textsIn(body);
    else if (type === "E") this.connection.drop("The database refuses a statement");
    else if (type === "Z" && this.#isPrepared) this.#complete();
  }

  #complete(): void {
    this.#isReady = true;
    const [sent, row] = [this.#sent, this.#row];
    this.#sent = this.#row = undefined;
    if (row !== undefined) sent?.resolve(row);
  }
}

/**
 * @param open opens a connection
 * @param sql the statement, which returns one row of texts
 */
export const createLine = (
  open: (events: ConnectionEvents) => Promise<Connection>,
  sql: string,
  { silence, lifetime }: LineLimits,
): Line => {
  let talk: Talk | undefined;
  let opening: Promise<void> | undefined;
  let restsUntil = 0;
  let isClosed = false;

  const rest = (): void => {
    restsUntil = performance.now() + REST;
  };

  /** Behind a pooler, and where the connection is encrypted, the statement has to be sent through the driver. */
  const takeOver = (connection: Connection): Talk | undefined => {
    const socket = connection.isPooled ? undefined : connection.takeOver();
    return socket && new Talk(connection, socket, sql, lifetime);
  };

  const begin = async (): Promise<void> => {
    let own: Talk | undefined;
    const onLost = (): void => {
      own?.fail();
      if (talk === own) talk = undefined;
      rest();
    };
    const connection = await open({ onLost });
    own = isClosed ? undefined : takeOver(connection);
    talk = own;
    if (own !== undefined) return;
    restsUntil = Infinity;
    await connection.close();
  };

  const leave = (): Promise<void> | undefined => {
    const left = talk;
    talk = undefined;
    left?.fail();
    return left?.connection.close();
  };

  return {
    ask() {
      if (talk && talk.waitsFor > silence) talk.connection.drop("The database does not answer");
      if (talk?.isFree && talk.until < performance.now()) void leave();
      if (talk?.isFree) return talk.run();
      if (!talk && !opening && performance.now() >= restsUntil) {
        opening = begin()
          .catch(rest)
          .finally(() => {
            opening = undefined;
          });
      }
      return undefined;
    },
    renew: () => void leave(),
    async close() {
      isClosed = true;
      restsUntil = Infinity;
      await opening;
      await leave();
    },
  };
};
