/** Serves the metrics to Prometheus: on a port of their own, or at a path that requires a token. */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SetupError } from "../base/thrown.ts";
import type { Metrics } from "./metrics.ts";

type Source = Pick<Metrics, "text" | "contentType">;

const send = (outgoing: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void => {
  outgoing.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
};

const sendMetrics = ({ text, contentType }: Source, outgoing: ServerResponse): void => {
  text().then(
    (metrics) => send(outgoing, 200, metrics, contentType),
    (error: unknown) => send(outgoing, 503, error instanceof Error ? error.message : String(error)),
  );
};

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

/**
 * Serves the metrics at `/metrics` on a port of their own.
 *
 * @returns the function that stops it
 * @throws SetupError when the port cannot be used
 */
export const listenForMetrics = async (
  source: Source,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<() => void> => {
  const server = createServer((incoming, outgoing) => {
    if (pathOf(incoming) === "/metrics") sendMetrics(source, outgoing);
    else send(outgoing, 404, "The metrics are at /metrics\n");
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw new SetupError(`metrics.port: cannot listen on ${host}:${port}: ${String(error)}`);
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
};

const digest = (text: string, encoding: "utf8" | "latin1"): Buffer =>
  createHash("sha256").update(text, encoding).digest();

/** Answers requests for the metrics at `path`; returns whether a request was one. */
export const answerMetricsAt =
  (source: Source, { path, token }: { readonly path: string; readonly token: string }) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    if (pathOf(incoming) !== path) return false;
    // Node decodes headers as latin1.
    const given = digest(incoming.headers.authorization ?? "", "latin1");
    if (timingSafeEqual(given, digest(`Bearer ${token}`, "utf8"))) sendMetrics(source, outgoing);
    else send(outgoing, 401, "The metrics need the token of metrics.token: Authorization: Bearer …\n");
    return true;
  };
