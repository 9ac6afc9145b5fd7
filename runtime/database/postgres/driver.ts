/**
 * Guards around postgres.js 3.4.9. Each connection is a client of its own with exactly one socket, because the driver
 * does the following by itself (numbers are those of its issues and pull requests):
 *
 * - It reconnects when a connection ends, and the rest of a transaction runs on the new one, outside of it (#1133,
 *   #1155, #1216); bytes and errors of the old connection reach the new one (#1215): {@link createSockets}.
 * - It leaves statements without an answer when a connection closes (#1186): `connection.ts` fails them itself.
 * - It sends a prepared statement again that has failed because tables have changed (since #120), also in a transaction
 *   that has failed by that: {@link sentOnce}.
 * - It keeps counting rows when a statement fails after its first ones, and the next answer begins with as many holes
 *   (#1119, #1181): {@link withoutHoles}.
 * - It takes any answer to `commit` for success, also `ROLLBACK` (#1217): `transaction.ts` reads the command tag.
 * - It finds out that a statement has too many parameters when it has queued it already, and answers are then assigned
 *   to the wrong statements: {@link demandParameters}.
 * - It writes each statement of more than a kilobyte by a system call of its own: `batch` of {@link createSockets}.
 * - It closes connections by age, queries types, and takes options from the address and the environment:
 *   {@link driverOptions} sets them all.
 */
import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import type { Row } from "../database.ts";
import type { EncryptedAddress } from "./tls.ts";

/** Settings of a session, by PostgreSQL's names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** The servers that the driver has read from an address, which may name several. */
interface Servers {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** The path of a Unix socket; false if it is not one. */
  readonly path: string | false;
}

/** Milliseconds of silence after which TCP keep-alive checks that the other side still exists. */
const KEEP_ALIVE = 30_000;

/**
 * Most bytes buffered in a socket. Beyond that, the driver waits for each answer before it sends the next statement, so
 * this is far more than an ordinary transaction needs.
 */
const WAITING = 1 << 20;

const connected = async (target: NetConnectOpts, milliseconds: number): Promise<Socket> => {
  const options = { ...target, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE, writableHighWaterMark: WAITING };
  const socket = connect(options);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(milliseconds) });
    return socket;
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  }
};

const targetsOf = ({ host, port, path }: Servers): readonly NetConnectOpts[] =>
  path === false ? host.map((name, index) => ({ host: name, port: Number(port[index] ?? port[0]) })) : [{ path }];

/**
 * Creates sockets until one of them has become a connection, and none after that. If the address names several servers,
 * the next is tried when one does not answer or is not of the wanted kind; each is tried once.
 *
 * @param milliseconds how long all servers together may take to answer
 */
export const createSockets = (milliseconds: number) => {
  let isOver = false;
  let attempts = 0;
  let socket: Socket | undefined;
  let isBatching = false;
  return {
    async open(servers: Servers): Promise<Socket> {
      const targets = targetsOf(servers);
      let failure: unknown;
      for (const target of targets.slice(attempts)) {
        if (isOver) break;
        attempts += 1;
        try {
          // The driver takes the host name to verify the server's certificate from its socket.
          socket = Object.assign(await connected(target, milliseconds / targets.length), target);
          if (!isOver) return socket;
          socket.destroy();
        } catch (error) {
          failure = error;
        }
      }
      throw failure ?? Object.assign(new Error("The connection has ended"), { code: "CONNECTION_ENDED" });
    },
    /** Marks the last socket as a working connection: no more are created. */
    keep: (): void => void (isOver = true),
    /** Sends everything written from now on together, once the driver has written this tick's statements. */
    batch(): void {
      if (!socket || isBatching) return;
      const corked = socket;
      const end = (): void => {
        isBatching = false;
        corked.uncork();
      };
      isBatching = true;
      corked.cork();
      // The driver writes short statements in an immediate, so this one must come after it.
      process.nextTick(() => setImmediate(end));
    },
    /** Destroys the socket; no more are created. */
    destroy(): void {
      isOver = true;
      socket?.destroy();
    },
  };
};

interface Retried {
  cancelled: unknown;
  reject(error: unknown): void;
}

/**
 * Before the driver sends a statement again it stores the error in the property `retried`. This setter marks the query as
 * cancelled, so that the driver does not send it, and rejects it.
 */
const neverAgain: PropertyDescriptor & ThisType<Retried> = {
  set(error: unknown) {
    this.cancelled = true;
    this.reject(error);
  },
};

let prototype: object | null = null;

/**
 * Keeps the driver from sending a query again. All queries share one prototype for that: defining a property on each
 * query would make it slow for the JavaScript engine.
 */
export const sentOnce = <Query extends object>(query: Query): Query => {
  prototype ??= Object.create(Object.getPrototypeOf(query), { retried: neverAgain });
  return Object.setPrototypeOf(query, prototype);
};

/** Removes the holes before the rows of an answer. */
export const withoutHoles = (answer: readonly Row[]): readonly Row[] =>
  answer.length === 0 || 0 in answer ? answer : answer.filter(() => true);

/** The protocol counts parameters with 16 bits. */
const PARAMETERS = 65_533;

/** @throws RangeError when a statement has more parameters than the protocol can count */
export const demandParameters = (parameters: readonly unknown[]): void => {
  if (parameters.length > PARAMETERS) throw new RangeError("Too many parameters for one statement");
};

/**
 * The formats of statements and results, whatever the server, database or role sets. Poolers track these for each
 * client; `ISO, MDY` is the server's own spelling, so that they find nothing to change.
 */
const NOTATION = { TimeZone: "UTC", DateStyle: "ISO, MDY", standard_conforming_strings: "on" };

const asText = { serialize: String, parse: (text: string) => text };

/**
 * Values are read and written as PostgreSQL's text, except numbers (`int2`, `int4`, `oid`, `float4`, `float8`) and booleans:
 * by the ids of the types that the driver would convert.
 */
const TYPES = {
  json: { ...asText, to: 114, from: [114, 3802] },
  date: { ...asText, to: 1184, from: [1082, 1114, 1184] },
  bytea: { ...asText, to: 17, from: [17] },
  string: { ...asText, to: 25, from: [25] },
  boolean: { to: 16, from: [16], serialize: String, parse: (text: string) => text === "t" },
};

interface ClientOptions {
  readonly sockets: ReturnType<typeof createSockets>;
  /** Milliseconds in which the server must accept the connection. */
  readonly patience: number;
  readonly settings: SessionSettings;
  readonly ssl: EncryptedAddress["ssl"];
  onclose(): void;
  readonly onNotify: ((channel: string, payload: string) => void) | undefined;
}

/** The options of a client with one connection. */
export const driverOptions = ({ sockets, patience, settings, ssl, onclose, onNotify }: ClientOptions) => ({
  max: 1,
  max_lifetime: null,
  idle_timeout: 0,
  connect_timeout: patience / 1000,
  backoff: () => 0,
  prepare: true,
  debug: false,
  fetch_types: false,
  types: TYPES,
  connection: { application_name: "galley", ...NOTATION, ...settings },
  socket: sockets.open,
  ...(ssl === undefined ? {} : { ssl }),
  onclose,
  onnotice: () => {},
  ...(onNotify ? { onnotify: onNotify } : {}),
});
