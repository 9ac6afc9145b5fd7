/** Events of a project: records them, and delivers them to webhooks and to the project's code. */
import { SetupError } from "../base/thrown.ts";
import type { EventsConfig, StreamConfig } from "../config/events.ts";
import { type Database, notify } from "../database/database.ts";
import type { EventHandlers } from "../documents/committed-event.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Feature } from "../http/context.ts";
import { createAttempts } from "../telemetry/attempts.ts";
import { readLoad } from "../telemetry/queue-load.ts";
import { EVENTS_CHANNEL, WEBHOOKS_CHANNEL } from "./administration.ts";
import { codeConsumers, type Consumer, loadWebhooks } from "./consumers.ts";
import { Dispatcher } from "./dispatch.ts";
import { createRecorder } from "./recorder.ts";
import { startRetention } from "./retention.ts";
import { eventRoutes } from "./routes.ts";
import { createSender } from "./send.ts";
import { streamRoutes } from "./stream-route.ts";
import { Stream } from "./stream.ts";
import { deliveries, events, webhooks } from "./tables.ts";

/** Milliseconds within which several commits of a process wake the others only once. */
const QUIET = 20;

/** Coalesces calls that come within {@link QUIET} into one call of `work`. */
const merged = (work: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, QUIET).unref();
  };
};

/** Wakes the other processes. */
const notifier = (database: Database): (() => void) =>
  merged(() => {
    notify(database, EVENTS_CHANNEL).catch(() => {});
  });

/** The dispatchers of the current consumers. */
class Dispatchers {
  readonly #start: (consumer: Consumer) => Dispatcher;
  #running: readonly Dispatcher[] = [];

  constructor(start: (consumer: Consumer) => Dispatcher) {
    this.#start = start;
  }

  /** Serves exactly these consumers from now on. */
  serve(consumers: readonly Consumer[]): void {
    for (const dispatcher of this.#running) void dispatcher.stop();
    this.#running = consumers.map(this.#start);
  }

  wake(): void {
    for (const dispatcher of this.#running) dispatcher.wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((dispatcher) => dispatcher.stop()));
  }
}

/** The parts of the delivery. */
interface Delivery {
  readonly services: OperationServices;
  readonly config: EventsConfig;
  readonly dispatchers: Dispatchers;
  /** Reads the consumers again. */
  load(): Promise<readonly Consumer[]>;
  /** Polls for new events now. */
  wake(): void;
}

/** Delivers to the current consumers, until the returned function is called. */
const startDelivery = async ({ services, config, dispatchers, load, wake }: Delivery): Promise<() => Promise<void>> => {
  const { database, log } = services;
  const attempt = createAttempts(log, "webhooks could not be loaded");
  let served = "";
  let names: readonly string[] = [];
  const reload = async (): Promise<void> => {
    const consumers = await load();
    const loaded = JSON.stringify(consumers);
    // If notifications do not arrive, `listen` calls this every few seconds.
    if (loaded === served) return;
    served = loaded;
    names = consumers.map(({ name }) => name);
    dispatchers.serve(consumers);
  };
  const stopListening = await Promise.all([
    database.listen(EVENTS_CHANNEL, wake),
    database.listen(WEBHOOKS_CHANNEL, () => void attempt(reload)),
  ]);
  await reload();
  const stopRetention = startRetention(database, config, { consumers: () => names, log });
  return async () => {
    stopRetention();
    await Promise.all(stopListening.map((stop) => stop()));
    await dispatchers.stop();
  };
};

/** @throws SetupError when a content type has the same path */
const openStream = (services: OperationServices, config: StreamConfig) => {
  const types = Object.values(services.registry.contentTypes).map(({ type }) => type);
  const same = types.find(
    ({ kind, singularName, pluralName }) => `/${kind === "singleType" ? singularName : pluralName}` === config.path,
  );
  if (same) {
    throw new SetupError(`events.stream.path: ${config.path} is a path of ${same.uid}. Give the stream another one.`);
  }
  const stream = new Stream(services, config);
  return { stream, routes: streamRoutes(stream, config).routes, drain: () => stream.close() };
};

/** Opens events for a server or a command. Events are recorded from then on, but delivered only once started. */
export const openEvents = async (
  services: OperationServices,
  config: EventsConfig,
  handlers: EventHandlers,
): Promise<{ readonly feature: Feature; readonly recorder: Recorder }> => {
  const { database } = services;
  const code = codeConsumers(handlers);
  const load = async () => (consumers = [...(await loadWebhooks(database, config)), ...code]);
  let consumers: readonly Consumer[] = [];
  await load();
  const sender = createSender(config);
  const dispatchers = new Dispatchers((consumer) => new Dispatcher({ services, config, sender }, consumer));
  const notify = notifier(database);
  const streaming = config.stream ? openStream(services, config.stream) : undefined;
  const wake = (): void => {
    dispatchers.wake();
    streaming?.stream.wake();
  };
  const start = async () => {
    const stop = await startDelivery({ services, config, dispatchers, load, wake });
    return () => {
      streaming?.drain();
      return stop().finally(() => sender.close());
    };
  };
  const committed = (): void => {
    wake();
    notify();
  };
  const queueLoad = async () => ({
    consumers: await readLoad(database, consumers),
    listeners: streaming?.stream.size ?? 0,
  });
  const routes = [...eventRoutes(config).routes, ...(streaming?.routes ?? [])];
  return {
    feature: { ...streaming, tables: [events, deliveries, webhooks], routes: { routes }, queueLoad, start },
    recorder: createRecorder(services, { consumers: () => consumers, hasStream: streaming !== undefined }, committed),
  };
};
