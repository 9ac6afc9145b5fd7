/** Combines the observers of a server according to its configuration. */
import cluster from "node:cluster";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { answerMetricsAt, listenForMetrics } from "./metrics-endpoint.ts";
import { createMetrics, type MetricSources } from "./metrics.ts";
import type { ObserveRequest } from "./observe.ts";
import { logSlowStatements } from "./slow-statements.ts";
import type { ObserveStatement } from "./statements.ts";
import { metricsOfWorkers, reportMetrics } from "./worker-metrics.ts";

/** The metrics parts of a server; none without `metrics` in the configuration. */
export interface ServerMetrics {
  readonly request?: ObserveRequest;
  readonly statement?: ObserveStatement;
  /** Answers a request for the metrics; returns whether it was one. */
  readonly answer?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Starts listening on the metrics port; returns the function that stops it. @throws SetupError */
  readonly open?: () => Promise<() => void>;
}

/**
 * Creates the metrics of a server.
 *
 * @throws SetupError if prom-client is missing
 */
export const serverMetrics = async ({ metrics }: Config, sources: MetricSources): Promise<ServerMetrics> => {
  if (metrics === false) return {};
  const own = await createMetrics(sources);
  if (cluster.isWorker) reportMetrics(own.collect);
  const source = { ...own, ...(cluster.isWorker ? { text: metricsOfWorkers } : {}) };
  const { request, statement } = own;
  if ("path" in metrics) return { request, statement, answer: answerMetricsAt(source, metrics) };
  return { request, statement, open: () => listenForMetrics(source, metrics) };
};

/** Counts the statements of each request, logs slow ones, and passes all on to the other observers. */
export const observeStatements = (
  { logger }: Config,
  log: Logger,
  others: readonly (ObserveStatement | undefined)[],
): ObserveStatement => {
  const slow = logger.slowStatement === false ? undefined : logSlowStatements(log, logger.slowStatement);
  const observers = [slow, ...others].filter((observe) => observe !== undefined);
  return (statement) => {
    const { request } = statement.client ?? {};
    if (request) request.statements += 1;
    for (const observe of observers) observe(statement);
  };
};
