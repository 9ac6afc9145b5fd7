/** Metrics of the event queue. */
import type { Gauge, Registry } from "prom-client";

/** The backlog of one receiver of events. */
export interface ConsumerLoad {
  readonly consumer: string;
  readonly pending: number;
  readonly parked: number;
  /** Seconds since the oldest pending delivery became due. */
  readonly lag: number;
}

export interface QueueLoad {
  readonly consumers: readonly ConsumerLoad[];
  /** Connections that listen for events. */
  readonly listeners: number;
}

export type ReadQueue = () => Promise<QueueLoad | undefined>;

/** Shares one call among concurrent readers; returns nothing while the database is unavailable. */
const shared = (queue: ReadQueue): ReadQueue => {
  let reading: Promise<QueueLoad | undefined> | undefined;
  return () =>
    (reading ??= queue()
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
};

/** Adds gauges of the queue. All processes see the same deliveries, but each only its own listeners. */
export const addQueueGauges = (Kind: typeof Gauge, registry: Registry, queue: ReadQueue): void => {
  const read = shared(queue);
  const add = (
    name: string,
    help: string,
    set: (gauge: Gauge, load: QueueLoad) => void,
    labelNames: string[],
  ): void => {
    const gauge: Gauge = new Kind({
      name: `galley_event_${name}`,
      help,
      labelNames,
      aggregator: labelNames.length > 0 ? "max" : "sum",
      registers: [registry],
      async collect() {
        const load = await read();
        gauge.reset();
        if (load) set(gauge, load);
      },
    });
  };
  const addOfConsumers = (name: string, help: string, valueOf: (load: ConsumerLoad) => number): void =>
    add(
      name,
      help,
      (gauge, { consumers }) => {
        for (const load of consumers) gauge.set({ consumer: load.consumer }, valueOf(load));
      },
      ["consumer"],
    );
  addOfConsumers("deliveries_pending", "Deliveries that wait, up to 100,000.", ({ pending }) => pending);
  addOfConsumers("deliveries_parked", "Deliveries that are tried no more, up to 100,000.", ({ parked }) => parked);
  addOfConsumers("lag_seconds", "Time since the oldest delivery was due.", ({ lag }) => lag);
  add("listeners", "Connections that are told of events.", (gauge, { listeners }) => gauge.set(listeners), []);
};
