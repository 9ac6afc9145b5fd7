/**
 * Handles half-closed connections: the client has closed its sending side, and either waits for a response or has gone.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

/** Milliseconds until the first check whether the client is still there; the time doubles with each further check. */
const FIRST = 200;

/**
 * Answers clients that have closed only their sending side. Whether a client has gone shows when something is sent to
 * it, so we send interim responses (100 Continue): a waiting client ignores them, and a client that has gone resets the
 * connection, which ends the work for its request.
 */
export const answerHalfClosed = (server: Server, connections: Connections): void => {
  // Node supports this option, but its type declarations do not name it.
  Object.assign(server, { httpAllowHalfOpen: true });

  const watch = (socket: Socket): void => {
    let timer: NodeJS.Timeout | undefined;
    const lookAfter = (milliseconds: number): void => {
      timer = setTimeout(() => {
        const response = connections.nextAnswer(socket);
        if (!response || response.headersSent) return;
        // HTTP/1.0 clients do not know interim responses.
        if (response.req.httpVersion !== "1.0") response.writeContinue();
        lookAfter(milliseconds * 2);
      }, milliseconds);
    };
    socket.once("close", () => clearTimeout(timer));
    lookAfter(FIRST);
  };
  server.on("connection", (socket) => socket.once("end", () => watch(socket)));
};
