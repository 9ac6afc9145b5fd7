/** The server that listens for an application, and how it ends. */
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type ServerOptions,
} from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { SetupError } from "../base/setup-error.ts";
import { type Connections, watchConnections } from "./connections.ts";
import type { AppEnv } from "./context.ts";
import type { Direct } from "./direct/listener.ts";
import { answerHalfClosed } from "./half-closed.ts";

export interface Listening {
  readonly port: number;
  /** Stops accepting, and resolves when what was running has been answered and every connection is closed. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Requests that run for longer than this after `close` are cut off. */
  readonly shutdownSeconds: number;
  /** Seconds after which a client that takes nothing of its answer is given up; for tests. */
  readonly stallSeconds?: number;
  /** Most bytes of the head of a request; beyond it the answer is 431. Node's own limit where it is absent. */
  readonly maxHeaderSize?: number;
}

/** A port that cannot be had is for the user to mend. */
const portFault = (error: Error, port: number): Error => {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new SetupError(`Port ${port} is in use. Choose another with --port or PORT.`);
  if (code === "EACCES") return new SetupError(`Port ${port} needs rights that this process does not have.`);
  return error;
};

/**
 * Milliseconds in which the head of a request has to arrive. There is no such limit for a whole request, since an upload
 * may be large and its way slow: whoever reads a body gives up senders who stop.
 *
 * Connections that nobody uses stay open for longer than load balancers keep theirs, which is commonly a minute: a
 * request must not meet a connection that the server closes just then.
 */
const timeouts = { headersTimeout: 60_000, requestTimeout: 0, keepAliveTimeout: 65_000 };

/** Seconds for which an answer is kept for a client that takes nothing of it. */
const STALL = 60;

/**
 * Gives up clients that take nothing of what is ready for them: others pay for the memory that it is kept in. One whose
 * answer is not ready yet has nothing to take, however long it waits. Where somebody listens for times that are over, Node
 * leaves connections to them on which nothing is asked any more.
 */
const giveUpStalled = (server: Server, { isAnswering }: Connections, seconds: number): void => {
  server.setTimeout(seconds * 1000, (socket) => {
    if (socket.writableLength > 0 || !isAnswering(socket)) socket.destroy();
  });
};

/** What answers: an application, or something that passes requests on to one. */
export interface Handler extends Pick<Hono<AppEnv>, "fetch"> {
  /** What is asked first, where there is a shorter way to some answers. */
  readonly direct?: Direct;
}

/** The host of requests that name none, as HTTP/1.0 allows: nothing depends on it. */
const UNNAMED = "localhost";

const createServer = ({ fetch, direct }: Handler, limits: Pick<ServerOptions, "maxHeaderSize">): Server => {
  const listener = getRequestListener(fetch, { hostname: UNNAMED });
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => void listener(incoming, outgoing);
  return createNodeServer({ ...timeouts, ...limits }, (incoming, outgoing) => {
    if (!direct?.(incoming, outgoing, pass)) pass(incoming, outgoing);
  });
};

/** Listens on the port. Rejects with a SetupError when it is taken. */
export const listen = (
  app: Handler,
  { host, port, shutdownSeconds, maxHeaderSize, stallSeconds = STALL }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = createServer(app, maxHeaderSize === undefined ? {} : { maxHeaderSize });
    const connections = watchConnections(server);
    giveUpStalled(server, connections, stallSeconds);
    answerHalfClosed(server, connections);
    server.once("error", (error) => reject(portFault(error, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () => connections.drain(shutdownSeconds * 1000),
      });
    });
  });
