/** Creates the socket of one connection, which the driver uses instead of opening its own. */
import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket, type TcpNetConnectOpts } from "node:net";
import { Arrivals, type RawRows } from "./arrivals.ts";

/** The servers that the driver has read from an address, which may name several. */
export interface Servers {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** The path of a Unix socket; false if it is not one. */
  readonly path: string | false;
  /** Whether the connection is to be encrypted, and how. */
  readonly ssl?: unknown;
}

/** Milliseconds of silence after which TCP keep-alive checks that the other side still exists. */
const KEEP_ALIVE = 30_000;

/**
 * Bytes that may wait in a socket. Beyond, the driver sends no statement before the one before is answered, so this is
 * far more than the statements of a usual transaction have.
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

/** Makes what arrives on a socket go through `arrivals`, which it arrives in without being copied. */
const into = (arrivals: Arrivals, fail: (error: unknown) => void): Pick<TcpNetConnectOpts, "onread"> => ({
  onread: {
    buffer: () => arrivals.space,
    callback(count) {
      try {
        arrivals.take(count);
      } catch (error) {
        fail(error);
      }
      return true;
    },
  },
});

const targetsOf = ({ host, port, path }: Servers): readonly NetConnectOpts[] =>
  path === false ? host.map((name, index) => ({ host: name, port: Number(port[index] ?? port[0]) })) : [{ path }];

/**
 * Creates sockets until one of them has become a connection, and none after that: the driver would silently reconnect
 * after a lost connection, in the middle of the statements that it had sent on the old one. If the address names
 * several servers, the next is tried when one does not answer or is not of the wanted kind; each is tried once.
 *
 * @param milliseconds how long all servers together may take to answer
 */
export const createSockets = (milliseconds: number) => {
  let isOver = false;
  let turn = 0;
  let socket: Socket | undefined;
  let arrivals: Arrivals | undefined;
  let isHeld = false;

  const pass = (messages: Buffer): void => void socket?.emit("data", messages);
  const fail = (error: unknown): void => void socket?.destroy(error instanceof Error ? error : undefined);

  return {
    async open(servers: Servers): Promise<Socket> {
      const targets = targetsOf(servers);
      let failure: unknown;
      for (const target of targets.slice(turn)) {
        if (isOver) break;
        turn += 1;
        try {
          // What is encrypted only the driver can read.
          arrivals = servers.ssl ? undefined : new Arrivals(pass);
          const options = { ...target, ...(arrivals && into(arrivals, fail)) };
          // The driver takes the host name to verify the server's certificate from its socket.
          socket = Object.assign(await connected(options, milliseconds / targets.length), target);
          if (!isOver) return socket;
          socket.destroy();
        } catch (error) {
          failure = error;
        }
      }
      throw failure ?? Object.assign(new Error("The connection has ended"), { code: "CONNECTION_ENDED" });
    },
    /** Marks the last socket as a working connection: no more are created, and rows are kept apart. */
    keep(): void {
      isOver = true;
      arrivals?.keepRows();
    },
    /**
     * While the driver takes the end of an answer: its rows, which the driver has not seen. Undefined where the driver reads
     * rows.
     */
    rows: (): RawRows | undefined => arrivals?.rows,
    /**
     * Call this before a statement is sent: what is sent until the running code waits leaves in one call of the system.
     * Each of these calls wakes PostgreSQL, and costs more than the statement's text.
     */
    hold(): void {
      const held = socket;
      if (isHeld || !held) return;
      isHeld = true;
      held.cork();
      const release = (): void => {
        isHeld = false;
        held.uncork();
      };
      // The driver keeps the end of what it sends until the next `setImmediate`, and has asked for it by the next tick.
      process.nextTick(() => setImmediate(release));
    },
    /** Ends the driver's reading of the socket, and returns it; undefined if the driver reads through another one. */
    takeOver(): Socket | undefined {
      if (!socket || socket.listenerCount("data") === 0) return undefined;
      arrivals?.passAll();
      return socket.removeAllListeners("data");
    },
    /** Destroys the socket; no more are created. */
    destroy(): void {
      isOver = true;
      socket?.destroy();
    },
  };
};
