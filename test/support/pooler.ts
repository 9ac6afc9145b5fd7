/**
 * A connection pooler as PgBouncer is one in transaction mode: each transaction of a client may have another connection
 * of the server. It refuses settings that it does not know, and gives clients process ids of its own.
 */
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** What PgBouncer takes, and keeps for each client. */
const SETTINGS = new Set([
  "user",
  "database",
  "client_encoding",
  "application_name",
  "TimeZone",
  "DateStyle",
  "standard_conforming_strings",
]);
const PARSE_COMPLETE = "1";
const NOTIFICATION = "A";
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

/** Cuts a stream of messages into those that are complete; the first of a client has no type. */
const reader = (receive: (message: Buffer, type: string) => void, isStarting: boolean) => {
  let rest = Buffer.alloc(0);
  let starts = isStarting;
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const at = starts ? 0 : 1;
      if (rest.length < at + 4) return;
      const length = at + rest.readInt32BE(at);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = starts ? "startup" : String.fromCharCode(message[0] ?? 0);
      starts = false;
      receive(message, type);
    }
  };
};

const texts = (message: Buffer, from: number): readonly string[] =>
  message.subarray(from).toString("latin1").split("\0");

/** The name of the prepared statement that a message is about; empty where there is none. */
const statementOf = (message: Buffer, type: string): string => {
  if (type === "P") return texts(message, 5)[0] ?? "";
  if (type === "B") return texts(message, 5)[1] ?? "";
  return type === "D" && message[5] === 0x53 ? (texts(message, 6)[0] ?? "") : "";
};

const refusal = (setting: string): Buffer => {
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${setting}\0\0`;
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, Buffer.from(fields, "latin1")]);
};

/** A connection to the server. */
interface Backend {
  readonly socket: Socket;
  readonly prepared: Set<string>;
  client: Client | undefined;
  /** Whether the pooler itself has asked for what the server answers next with "parsed". */
  readonly parsing: boolean[];
  /** Transactions that were sent and not answered. */
  outstanding: number;
  isWithin: boolean;
}

interface Client {
  readonly socket: Socket;
  readonly statements: Map<string, Buffer>;
  readonly waiting: { readonly message: Buffer; readonly type: string }[];
  backend: Backend | undefined;
}

export interface PoolerOptions {
  /** Whether it prepares on each connection what a client has prepared on another, as PgBouncer does since 1.21. */
  readonly keepsPrepared: boolean;
}

/** A pooler before the server at `target`. */
export const poolerTo = async (target: URL, { keepsPrepared }: PoolerOptions) => {
  const { hostname, port: targetPort } = target;
  const sockets = new Set<Socket>();
  const idle: Backend[] = [];
  const queue: Client[] = [];

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };

  const forward = (client: Client, backend: Backend, message: Buffer, type: string): void => {
    const name = statementOf(message, type);
    const known = client.statements.get(name);
    if (type === "P" && name !== "") {
      client.statements.set(name, message);
      backend.prepared.add(name);
    } else if (keepsPrepared && known && !backend.prepared.has(name)) {
      backend.prepared.add(name);
      backend.parsing.push(true);
      backend.socket.write(known);
    }
    if (type === "P") backend.parsing.push(false);
    const isEnd = type === "Q" || message.equals(SYNC);
    backend.isWithin = !isEnd;
    if (isEnd) backend.outstanding += 1;
    backend.socket.write(message);
  };

  const flush = (client: Client): void => {
    const backend = (client.backend ??= idle.pop());
    if (!backend) {
      if (!queue.includes(client)) queue.push(client);
      return;
    }
    backend.client = client;
    for (const { message, type } of client.waiting.splice(0)) forward(client, backend, message, type);
  };

  const release = (backend: Backend): void => {
    if (backend.client) backend.client.backend = undefined;
    backend.client = undefined;
    idle.push(backend);
    const next = queue.shift();
    if (next) flush(next);
  };

  const answer = (backend: Backend, message: Buffer, type: string): void => {
    // Whose connection it reaches is chance, so that no client may count on it.
    if (type === NOTIFICATION || (type === PARSE_COMPLETE && backend.parsing.shift())) return;
    if (type === "K") message.writeInt32BE(1, 5);
    backend.client?.socket.write(message);
    if (type !== "Z") return;
    backend.outstanding -= 1;
    const isOver = backend.outstanding <= 0 && !backend.isWithin && message[5] === 0x49;
    if (isOver) release(backend);
  };

  const start = (client: Client, message: Buffer): void => {
    const pairs = texts(message, 8);
    const unknown = pairs.find((text, index) => index % 2 === 0 && text !== "" && !SETTINGS.has(text));
    if (unknown !== undefined) {
      client.socket.end(refusal(unknown));
      return;
    }
    const socket = keep(connect({ port: Number(targetPort), host: hostname, noDelay: true }));
    const backend: Backend = { socket, client, prepared: new Set(), parsing: [], outstanding: 1, isWithin: false };
    client.backend = backend;
    socket.on(
      "data",
      reader((each, type) => answer(backend, each, type), false),
    );
    socket.write(message);
  };

  const server = createServer({ noDelay: true }, (socket) => {
    const client: Client = { socket: keep(socket), statements: new Map(), waiting: [], backend: undefined };
    socket.on(
      "data",
      reader((message, type) => {
        if (type === "startup") start(client, message);
        else if (type === "p") client.backend?.socket.write(message);
        else if (type !== "X") {
          client.waiting.push({ message, type });
          flush(client);
        }
      }, true),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
};
