/** Metrics for Prometheus, with the optional package prom-client. */
import type prometheus from "prom-client";
import { SetupError } from "../base/thrown.ts";
import type { Database, PoolLoad } from "../database/database.ts";
import type { ObserveRequest } from "./observe.ts";
import { addQueueGauges, type ReadQueue } from "./queue-metrics.ts";
import type { ObserveStatement } from "./statements.ts";

type Prometheus = typeof prometheus;

/** The sources of the metrics. */
export interface MetricSources {
  readonly database: Pick<Database, "load">;
  readonly responseCache: () => { readonly bytes: number } | undefined;
  /** The event queue; undefined if there is none. */
  readonly queue?: ReadQueue | undefined;
}

export interface Metrics {
  readonly request: ObserveRequest;
  readonly statement: ObserveStatement;
  /** The metrics of this process, in the text format of Prometheus. */
  text(): Promise<string>;
  /** The same as data, for the process that adds up those of all workers. */
  collect(): Promise<readonly object[]>;
  readonly contentType: string;
}

/** Upper bounds in seconds: answers from memory take less than the first. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATEMENT_BUCKETS = [0.0005, ...REQUEST_BUCKETS];

/** @throws SetupError if the package is not installed */
export const loadPrometheus = (): Promise<Prometheus> =>
  import("prom-client")
    .then((loaded) => loaded.default)
    .catch(() => {
      throw new SetupError("metrics of cms.config.ts needs the package prom-client: npm install prom-client");
    });

/** Adds gauges that are computed when they are read. */
const addGauges = (
  { Gauge }: Prometheus,
  registry: prometheus.Registry,
  { database, responseCache, queue }: MetricSources,
): void => {
  if (queue) addQueueGauges(Gauge, registry, queue);
  const add = (name: string, help: string, read: () => number): void => {
    const collect = (): void => gauge.set(read());
    const gauge = new Gauge({ name: `galley_${name}`, help, registers: [], collect });
    registry.registerMetric(gauge);
  };
  const load = (): PoolLoad => database.load?.() ?? { open: 0, busy: 0, waiting: 0 };
  add("database_connections", "Open connections to PostgreSQL.", () => load().open);
  add("database_connections_busy", "Connections that run a statement or a transaction.", () => load().busy);
  add("database_waiting", "Statements and transactions that wait for a connection.", () => load().waiting);
  add("response_cache_bytes", "Memory that stored answers take.", () => responseCache()?.bytes ?? 0);
};

/**
 * Creates the metrics of this process.
 *
 * @throws SetupError if prom-client is not installed
 */
export const createMetrics = async (sources: MetricSources): Promise<Metrics> => {
  const client = await loadPrometheus();
  const registry = new client.Registry();
  const of = { registers: [registry] };
  client.collectDefaultMetrics({ register: registry });
  const requests = new client.Histogram({
    ...of,
    name: "galley_http_request_duration_seconds",
    help: "Answered requests by method, pattern of the route and status.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_BUCKETS,
  });
  const hits = new client.Counter({
    ...of,
    name: "galley_response_cache_hits_total",
    help: "Requests that were answered from the response cache.",
  });
  const statements = new client.Histogram({
    ...of,
    name: "galley_database_statement_duration_seconds",
    help: "Statements, with their wait for a connection, by outcome: ok or error.",
    labelNames: ["outcome"],
    buckets: STATEMENT_BUCKETS,
  });
  addGauges(client, registry, sources);
  return {
    request({ incoming: { method = "" }, record, status, milliseconds }) {
      const labels = { method, route: record.route ?? "none", status };
      requests.observe(labels, milliseconds / 1000);
      if (record.isHit) hits.inc();
    },
    statement({ milliseconds, error }) {
      statements.observe({ outcome: error === undefined ? "ok" : "error" }, milliseconds / 1000);
    },
    text: () => registry.metrics(),
    collect: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
};
