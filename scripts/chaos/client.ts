/** One client of the servers: it keeps its connection, and reports the exact outcome of each request. */
import { Agent, type IncomingMessage, request } from "node:http";
import { causeOf, noteAnswer } from "./connections.ts";

export type Answer =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** The server did not accept the connection: it never saw the request. */
  | { readonly kind: "refused" }
  /** The connection ended before the answer; `cause` tells the kind of connection, and what preceded. */
  | { readonly kind: "reset"; readonly cause: string }
  /** The request timed out. */
  | { readonly kind: "silent" };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly type?: string;
}

export interface Client {
  send(port: number, call: Call): Promise<Answer>;
  close(): void;
}

/** Milliseconds until a request counts as hung: a common timeout of proxies and orchestrators. */
export const PATIENCE = 30_000;

export const createClient = (token: string): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    send: (port, { method, path, body, type = "application/json" }) =>
      new Promise((resolve) => {
        const headers = {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) }),
        };
        const began = performance.now();
        let begun: IncomingMessage | undefined;
        const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
          begun = response;
          const { socket } = response;
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            noteAnswer(socket, response);
            resolve({ kind: "answered", status: response.statusCode ?? 0, text });
          });
          response.on("error", (error) => resolve({ kind: "reset", cause: causeOf(error, sent, began, begun) }));
        });
        const timer = setTimeout(() => {
          resolve({ kind: "silent" });
          sent.destroy();
        }, PATIENCE);
        sent.on("close", () => clearTimeout(timer));
        sent.on("error", (error) => {
          const refused = "code" in error && error.code === "ECONNREFUSED";
          resolve(refused ? { kind: "refused" } : { kind: "reset", cause: causeOf(error, sent, began, begun) });
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
};
