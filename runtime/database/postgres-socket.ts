/** The socket of one connection, which the driver is given instead of making its own. */
import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";

/** What the driver read from an address that may name several servers. */
export interface Servers {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a Unix socket; false without one. */
  readonly path: string | false;
}

/** Milliseconds of silence after which the other side is asked whether it is there. */
const KEEP_ALIVE = 30_000;

const connected = async (target: NetConnectOpts, milliseconds: number): Promise<Socket> => {
  const socket = connect({ ...target, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE });
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
 * Makes sockets until one has become a connection, and none after that: the driver would go on with another connection
 * where one has ended, in the middle of what it had sent to the first. Of several servers the next is tried when one does
 * not answer, or is not what the address asks for; none is asked twice.
 *
 * @param milliseconds in which they have to answer
 */
export const createSockets = (milliseconds: number) => {
  let isOver = false;
  let turn = 0;
  let socket: Socket | undefined;

  return {
    async open(servers: Servers): Promise<Socket> {
      const targets = targetsOf(servers);
      let failure: unknown;
      for (const target of targets.slice(turn)) {
        if (isOver) break;
        turn += 1;
        try {
          // The driver takes the name of the server, which certificates are checked against, from its socket.
          socket = Object.assign(await connected(target, milliseconds / targets.length), target);
          if (!isOver) return socket;
          socket.destroy();
        } catch (error) {
          failure = error;
        }
      }
      throw failure ?? Object.assign(new Error("The connection has ended"), { code: "CONNECTION_ENDED" });
    },
    /** The last of them has become a connection. */
    keep(): void {
      isOver = true;
    },
    /** Ends it at once; there will be no other. */
    destroy(): void {
      isOver = true;
      socket?.destroy();
    },
  };
};
