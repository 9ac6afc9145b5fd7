/** The HTTP server of an application, and its shutdown. */
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type ServerOptions,
} from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { SetupError } from "../base/thrown.ts";
import type { Observe } from "../telemetry/observe.ts";
import { recordOf, REQUEST_ID } from "../telemetry/request-record.ts";
import { Connections, type Turn } from "./connections.ts";
import type { AppEnv } from "./context.ts";

/** Milliseconds until the first check whether the client is still there; the time doubles with each further check. */
const FIRST = 200;

/**
 * Answers clients that have closed only their sending side. Whether a client has gone shows when something is sent to
 * it, so we send interim responses (100 Continue): a waiting client ignores them, and a client that has gone resets the
 * connection, which ends the work for its request.
 */
const answerHalfClosed = (server: Server, connections: Connections): void => {
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

export interface Listening {
  readonly port: number;
  /**
   * Stops accepting connections. Resolves when all running requests are answered and all connections are closed.
   */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Seconds after `close` until clients whose requests still run are disconnected. */
  readonly shutdownSeconds: number;
  /** Seconds after which a client that does not read its response is disconnected; only tests set this. */
  readonly stallSeconds?: number;
  /** Largest head of a request in bytes; larger ones are answered with 431. Node's own limit by default. */
  readonly maxHeaderSize?: number;
  /** The turns of the process that accepts the connections, if that is not this one. */
  readonly turn?: Turn | undefined;
}

/** Another process is listening on the port. */
export class PortInUseError extends SetupError {}

/** The error to report when the port cannot be used. It is a SetupError if the user can fix it. */
const portFault = (error: Error, port: number): Error => {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new PortInUseError(`Port ${port} is in use. Choose another with --port or PORT.`);
  if (code === "EACCES") return new SetupError(`Port ${port} needs rights that this process does not have.`);
  return error;
};

/**
 * Milliseconds in which the head of a request has to arrive. The whole request has no such limit, since a large upload
 * may be slow: the code that reads the body disconnects stalled senders.
 *
 * Idle connections stay open for longer than load balancers usually keep theirs (a minute), so that a load balancer
 * never sends a request on a connection that the server is just closing.
 */
const timeouts = { headersTimeout: 60_000, requestTimeout: 0, keepAliveTimeout: 65_000 };

/** Seconds after which a client that does not read its response is disconnected. */
const STALL = 60;

/**
 * Disconnects clients that do not read their responses, since unread ones take memory. Clients whose response is not
 * ready yet are not affected, however long they wait. With a timeout listener, Node no longer closes idle connections
 * itself, so this listener closes those too.
 */
const giveUpStalled = (server: Server, connections: Connections, seconds: number): void => {
  server.setTimeout(seconds * 1000, (socket) => {
    if (socket.writableLength > 0 || !connections.nextAnswer(socket)) socket.destroy();
  });
};

/** Milliseconds that a client may go on sending an unread body once its request is answered. */
const LINGER = 500;

/** Disconnects a client that goes on sending a body after the response. Hono's adapter does so for other methods. */
const endUnreadBody = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    const { socket } = incoming;
    setTimeout(() => {
      if (!incoming.complete) socket.destroySoon();
    }, LINGER).unref();
  });
};

/** Responses to requests that Node could not parse. */
const UNPARSED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const TOO_LARGE_HEAD =
  "The path, query string and headers are larger than server.maxHeaderSize of the configuration allows.";

/** Answers invalid requests as Node does by itself, except that the 431 for too large a head names the limit. */
const refuseUnparsed = (server: Server, connections: Connections): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = UNPARSED[error.code ?? ""] ?? "400 Bad Request";
    if (!socket.writable || error.code === "ECONNRESET" || connections.nextAnswer(socket))
      return void socket.destroy(error);
    const text = error.code === "HPE_HEADER_OVERFLOW" ? TOO_LARGE_HEAD : "";
    const type = text === "" ? "" : "Content-Type: text/plain; charset=utf-8\r\n";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${type}Content-Length: ${text.length}\r\n\r\n${text}`);
  });
};

/** Handles requests: an application, or an object that passes requests on to one. */
export interface Handler extends Pick<Hono<AppEnv>, "fetch"> {
  /** Runs before the application: answers a request, or passes it on. */
  readonly responseCache?: (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void;
  /** Called with each request, before anything else sees it. */
  readonly observe?: Observe;
}

/** The host used for requests without a Host header, which HTTP/1.0 allows. No behaviour depends on it. */
const UNNAMED = "localhost";

const createServer = (
  { fetch, responseCache, observe }: Handler,
  limits: Pick<ServerOptions, "maxHeaderSize">,
): Server => {
  const listener = getRequestListener(fetch, { hostname: UNNAMED });
  return createNodeServer({ ...timeouts, ...limits }, (incoming, outgoing) => {
    const answer = (): void => {
      const record = recordOf(incoming);
      if (record) outgoing.setHeader(REQUEST_ID, record.id);
      void listener(incoming, outgoing);
    };
    if (incoming.method === "GET" || incoming.method === "HEAD") endUnreadBody(incoming, outgoing);
    const pass = (): void => (responseCache ? responseCache(incoming, outgoing, answer) : answer());
    if (observe) observe(incoming, outgoing, pass);
    else pass();
  });
};

/** Listens on the port. Rejects with a SetupError when it is taken. */
export const listen = (
  app: Handler,
  { host, port, shutdownSeconds, maxHeaderSize, stallSeconds = STALL, turn }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = createServer(app, maxHeaderSize === undefined ? {} : { maxHeaderSize });
    const connections = new Connections(server);
    giveUpStalled(server, connections, stallSeconds);
    answerHalfClosed(server, connections);
    refuseUnparsed(server, connections);
    server.once("error", (error) => reject(portFault(error, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () => connections.drain(shutdownSeconds * 1000, turn),
      });
    });
  });
