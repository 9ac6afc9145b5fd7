/** Servers that the generated client asks in tests, and what went over the wire. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createClient } from "../../../generated/client/index.ts";
import type { ClientOptions } from "../../../runtime/client/index.ts";
import type { ExampleApp } from "../../support/example-app.ts";
import { listenOnFreePort } from "../../support/listen.ts";

/** A request as it was sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
}

export type Cms = ReturnType<typeof createClient>;

/** A client of the example, whose requests are noted. */
export const clientOf = (
  { app }: ExampleApp,
  options: Omit<ClientOptions, "url"> = {},
): { readonly cms: Cms; readonly sent: Sent[] } => {
  const sent: Sent[] = [];
  const cms = createClient({
    url: "http://cms.test",
    async fetch(url, init) {
      const { method = "GET" } = init;
      sent.push({ method, url, authorization: new Headers(init.headers).get("authorization") });
      return app.request(url, init, { incoming: { socket: { remoteAddress: "192.0.2.1" }, headers: {} } });
    },
    ...options,
  });
  return { cms, sent };
};

/** A server that answers as a test says; its address. */
export const answering = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const server = createServer(answer);
  const url = await listenOnFreePort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
};
