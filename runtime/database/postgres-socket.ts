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

/**
 * Makes sockets until one has become a connection, and none after that: the driver would go on with another connection
 * where one has ended, in the middle of what it had sent to the first. Servers take turns; the next is tried when one
 * does not answer.
 *
 * @param milliseconds in which a server has to answer
 */
export const createSockets = (milliseconds: number) => {
  let isOver = false;
  let turn = 0;
  let socket: Socket | undefined;

  const nextOf = async ({ host, port, path }: Servers): Promise<Socket> => {
    if (path !== false) return await connected({ path }, milliseconds);
    for (let attempt = 1; ; attempt += 1) {
      const index = turn++ % host.length;
      const server = { host: host[index] ?? "localhost", port: Number(port[index] ?? port[0]) };
      try {
        // The driver takes the name of the server, which certificates are checked against, from its socket.
        return Object.assign(await connected(server, milliseconds / host.length), server);
      } catch (error) {
        if (attempt >= host.length) throw error;
      }
    }
  };

  return {
    async open(servers: Servers): Promise<Socket> {
      if (!isOver) socket = await nextOf(servers);
      if (!isOver && socket) return socket;
      socket?.destroy();
      throw Object.assign(new Error("The connection has ended"), { code: "CONNECTION_ENDED" });
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
