/** Clients that have sent all they will, and closed their side of the connection: they wait for an answer, or have gone. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** Milliseconds until somebody is looked for first; each time after it takes twice as long. */
const FIRST = 200;

/**
 * Lets the server answer them. Whether one has gone shows when something is sent: an interim answer, which a client that
 * waits reads past, and which one that has gone has no connection for any more. Then ours ends, and its work with it.
 */
export const answerHalfClosed = (server: Server, { nextAnswer }: Pick<Connections, "nextAnswer">): void => {
  // Node has the switch, and a name for it in no declaration.
  Object.assign(server, { httpAllowHalfOpen: true });

  const look = (socket: Socket, after: number): void => {
    const timer = setTimeout(() => {
      const response = nextAnswer(socket);
      if (!response || response.headersSent) return;
      // Older clients do not know interim answers.
      if (response.req.httpVersion !== "1.0") response.writeContinue();
      look(socket, after * 2);
    }, after);
    socket.once("close", () => clearTimeout(timer));
  };
  server.on("connection", (socket) => socket.once("end", () => look(socket, FIRST)));
};
