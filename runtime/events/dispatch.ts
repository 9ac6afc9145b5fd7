/** Delivers due events to one consumer: for several documents at once, but in order for each document. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventsConfig } from "../config/events.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { type Attempts, createAttempts } from "../telemetry/attempts.ts";
import { bodyOf } from "./body.ts";
import type { Consumer } from "./consumers.ts";
import { type Claimed, leaseOf, type Queue, queueOf } from "./queue.ts";
import type { Outcome, Sender } from "./send.ts";

/** Most deliveries to one consumer at the same time, from one process. */
const AT_ONCE = 10;

/** Milliseconds between polls of the queue when nothing wakes its reader. */
const POLL = 2000;

/** Failures in a row after which a consumer gets only one delivery at a time, with pauses. */
const DOUBTFUL = 5;

/** Longest of these pauses, in milliseconds. */
const LONGEST_REST = 60_000;

/** What deliveries need. */
export interface Tools {
  readonly services: OperationServices;
  readonly config: EventsConfig;
  readonly sender: Sender;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "failed").slice(0, 300);

const attempt = async ({ services, config, sender }: Tools, { to }: Consumer, queue: Queue, claimed: Claimed) => {
  if ("webhook" in to) {
    const { id, event } = claimed.event;
    return sender.send(to.webhook, { id, event, body: await bodyOf(services, claimed), now: claimed.now });
  }
  const renewal = setInterval(() => void queue.extend(claimed).catch(() => {}), (leaseOf(config) * 1000) / 3);
  try {
    await to.handler(claimed.event, services);
    return { isDone: true };
  } catch (error) {
    services.log.warn({ err: error, event: claimed.event.id }, "an event handler failed");
    return { isDone: false, error: messageOf(error) };
  } finally {
    clearInterval(renewal);
  }
};

/** The pause before the next attempt, with up to a fifth of jitter, so that retries do not all come at once. */
const pauseOf = ({ retrySeconds }: EventsConfig, { attempt: number }: Claimed, { retryAfter = 0 }: Outcome) => {
  const pause = retrySeconds[number - 1];
  return pause === undefined ? undefined : Math.max(pause, retryAfter) * (1 + Math.random() / 5);
};

/** Makes one attempt and stores its outcome. Returns whether the consumer accepted the event. */
const deliver = async (tools: Tools, consumer: Consumer, queue: Queue, claimed: Claimed): Promise<boolean> => {
  const start = performance.now();
  const outcome: Outcome = await attempt(tools, consumer, queue, claimed);
  const milliseconds = Math.round(performance.now() - start);
  const about = { consumer: consumer.name, event: claimed.event.id, attempt: claimed.attempt, ...outcome };
  const { log } = tools.services;
  if (outcome.isDone) {
    log.debug({ ...about, milliseconds }, "an event was delivered");
    await queue.end(claimed, "done", outcome, milliseconds);
    return true;
  }
  const pause = outcome.isGone ? undefined : pauseOf(tools.config, claimed, outcome);
  if (pause === undefined) {
    log.error(about, "an event could not be delivered and was parked");
    await queue.end(claimed, "parked", outcome, milliseconds);
  } else {
    log.info({ ...about, pause: Math.round(pause) }, "an event could not be delivered and will be retried");
    await queue.postpone(claimed, pause, outcome, milliseconds);
  }
  return false;
};

/** Serves one consumer until it is stopped. Survives outages of the database: what is due stays due. */
export class Dispatcher {
  readonly #tools: Tools;
  readonly #consumer: Consumer;
  readonly #queue: Queue;
  readonly #reading: Attempts;
  readonly #storing: Attempts;
  readonly #running = new Set<Promise<unknown>>();
  /** Attempts in a row that failed. */
  #failures = 0;
  #isStopped = false;
  #isClaiming = false;
  /** Whether there may be more due deliveries than were claimed. */
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(tools: Tools, consumer: Consumer) {
    this.#tools = tools;
    this.#consumer = consumer;
    const about = { consumer: consumer.name };
    this.#reading = createAttempts(tools.services.log, "due deliveries could not be read", about);
    this.#storing = createAttempts(tools.services.log, "a delivery could not be stored", about);
    this.#queue = queueOf(tools.services.database, consumer.name, leaseOf(tools.config));
    this.wake();
  }

  /** Polls the queue now, unless the consumer is paused or rests after failures. */
  wake(): void {
    if (!this.#consumer.isPaused && !this.#isDoubtful) this.#look();
  }

  /** Stops claiming, and waits for running deliveries as long as a stopping server waits for requests. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const { shutdownSeconds } = this.#tools.services.config.server;
    const late = sleep(shutdownSeconds * 1000, undefined, { ref: false });
    await Promise.race([Promise.all(this.#running), late]);
  }

  get #isDoubtful(): boolean {
    return this.#failures >= DOUBTFUL;
  }

  #look(): void {
    this.#isWoken = true;
    if (this.#isStopped || this.#isClaiming) return;
    this.#isClaiming = true;
    void this.#claim();
  }

  async #claim(): Promise<void> {
    this.#isWoken = false;
    const free = (this.#isDoubtful ? 1 : AT_ONCE) - this.#running.size;
    const due = await this.#reading(async () => (free > 0 ? this.#queue.claim(free) : []));
    for (const claimed of due ?? []) this.#run(claimed);
    this.#isClaiming = false;
    clearTimeout(this.#timer);
    const rest = Math.min(POLL * 2 ** Math.max(this.#failures - DOUBTFUL, 0), LONGEST_REST);
    const pause = this.#isWoken && !this.#isDoubtful ? 0 : rest;
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#look(), pause).unref();
  }

  #run(claimed: Claimed): void {
    const work = this.#attempt(claimed).finally(() => {
      this.#running.delete(work);
      if (!this.#isStopped && !this.#isDoubtful) this.#look();
    });
    this.#running.add(work);
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const isDone = await this.#storing(() => deliver(this.#tools, this.#consumer, this.#queue, claimed));
    if (isDone !== undefined) this.#failures = isDone ? 0 : this.#failures + 1;
  }
}
