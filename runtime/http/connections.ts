/** The connections of a server that is told to end: none is closed under a request that its client has sent. */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

interface Connection {
  /**
   * Answers that are not finished, in the order of their requests. A list, whose places are used again: a Set makes a new
   * table every few requests, each of which leads to the next, so that what they held lives longer than it has to.
   */
  readonly running: ServerResponse[];
  /** When it was opened, or its last answer was finished. */
  since: number;
  /** What had been read by then: more of it is a request of which not even the head is complete. */
  read: number;
}

export interface Connections {
  /** Whether a request of it has not been answered to the end. */
  isAnswering(socket: Socket): boolean;
  /** What is answered next on it: the answer to the first request that has not been answered to the end. */
  nextAnswer(socket: Socket): ServerResponse | undefined;
  /**
   * Stops listening, and resolves when the last connection is closed. What is answered from now on says
   * `Connection: close`. After `grace` milliseconds all that is left is cut off.
   */
  drain(grace: number): Promise<void>;
}

/**
 * Milliseconds without a request after which a connection is closed. A client that keeps its connection cannot know that
 * the server ends before it is told with an answer: whoever asks again this soon still gets one.
 */
const QUIET = 500;

const SWEEP = 50;

/** Keeps account of the connections of `server`, from its start. */
export const watchConnections = (server: Server): Connections => {
  const connections = new Map<Socket, Connection>();
  /**
   * While the server ends, time goes by in sweeps: a process that stood still takes in what came meanwhile before the
   * next one, and nobody seems to have been quiet for as long as it stood.
   */
  let swept: number | undefined;
  const time = (): number => swept ?? performance.now();

  server.on("connection", (socket) => {
    connections.set(socket, { running: [], since: time(), read: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (swept !== undefined) response.shouldKeepAlive = false;
    if (!connection) return;
    connection.running.push(response);
    response.once("close", () => {
      connection.running.splice(connection.running.indexOf(response), 1);
      connection.since = time();
      connection.read = socket.bytesRead;
    });
  });

  const closeQuiet = (): void => {
    const before = time() - QUIET;
    for (const [socket, { running, since, read }] of connections) {
      if (running.length === 0 && since <= before && socket.bytesRead === read) socket.destroySoon();
    }
  };

  const nextAnswer = (socket: Socket): ServerResponse | undefined => connections.get(socket)?.running[0];

  return {
    isAnswering: (socket) => nextAnswer(socket) !== undefined,
    nextAnswer,
    async drain(grace) {
      swept = performance.now();
      for (const { running } of connections.values()) {
        for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
      }
      // Right after the event loop has taken in all connections that wait: those that wait when listening ends are reset.
      await setImmediate();
      const sweep = setInterval(() => {
        swept = time() + SWEEP;
        closeQuiet();
      }, SWEEP);
      const cut = setTimeout(() => server.closeAllConnections(), grace);
      await new Promise<void>((resolve) => {
        // The server's own `close` closes idle connections at once, those too whose next request is on its way.
        NetServer.prototype.close.call(server, () => resolve());
        closeQuiet();
      });
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
};
