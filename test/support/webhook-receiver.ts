/** A receiver of webhooks on this machine. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came, with the values of its entry beside it. */
export interface Received {
  readonly id: string;
  readonly event: string;
  readonly documentId: string;
  readonly name: string;
  readonly value: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers the request with this number, the first being 1. */
export type Answering = (response: ServerResponse, number: number, received: Received) => unknown;

const thank: Answering = (response) => response.writeHead(204).end();

interface Listening {
  readonly answer?: Answering | undefined;
  readonly host?: string;
  /** Takes the work that ends it. */
  readonly atEnd: (work: () => void) => unknown;
}

/** Listens until the work that is given to `atEnd` is done. */
export const openReceiver = async ({ answer = thank, host = "127.0.0.1", atEnd }: Listening) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { event, entry, media } = JSON.parse(body);
      const { headers } = request;
      const came = { ...entry, ...media, id: String(headers["webhook-id"]), event, headers, body };
      received.push(came);
      void answer(response, received.length, came);
    });
  }).listen(0, host);
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://${host}:${port}/hook` };
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
