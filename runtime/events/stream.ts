/** Notifies listeners of committed changes, with one reader of the log for all listeners of a process. */
import type { Caller } from "../access/caller.ts";
import { ServiceUnavailableError, UnauthorizedError } from "../base/errors.ts";
import type { StreamConfig } from "../config/events.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import type { Asked, EventStream, Format, ShownEvent, Wanted } from "../documents/event-stream.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { fileType } from "../schema/file-type.ts";
import { type Attempts, createAttempts } from "../telemetry/attempts.ts";
import { type Listener, listenerStream } from "./listener-stream.ts";
import { isAfter, logReader, type LogReader, type Place } from "./log-reader.ts";
import { viewOf } from "./shown-event.ts";

/** Milliseconds between polls of the log when nothing wakes its reader. */
const POLL = 2000;

/** The same while running transactions delay committed events. */
const HELD_UP = 50;

export const ACTION = "plugin::events.stream.find";

const wants = ({ events, types, locales, documentId }: Wanted, event: CommittedEvent): boolean =>
  (events?.includes(event.event) ?? true) &&
  (types?.includes(event.uid ?? fileType.uid) ?? true) &&
  (event.locale === null || (locales?.includes(event.locale) ?? true)) &&
  (documentId ?? event.documentId) === event.documentId;

/** The listeners of a process. */
export class Stream implements EventStream {
  readonly action = ACTION;
  readonly #services: OperationServices;
  readonly #config: StreamConfig;
  readonly #log: LogReader;
  readonly #attempt: Attempts;
  readonly #listeners = new Set<Listener>();
  /** Listeners that are up to date with `#place`. The others first catch up individually. */
  readonly #current = new Set<Listener>();
  #place: Place | undefined;
  /** The last step of the work on the listeners, which runs one step after the other. */
  #working: Promise<unknown> = Promise.resolve();
  #isWoken = false;
  #isClosed = false;
  #next: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;

  constructor(services: OperationServices, config: StreamConfig) {
    this.#services = services;
    this.#config = config;
    this.#log = logReader(services.database);
    this.#attempt = createAttempts(services.log, "listeners could not be notified of events");
  }

  get size(): number {
    return this.#listeners.size;
  }

  async open<Chunk>(asked: Asked, format: Format<Chunk>): Promise<ReadableStream<Chunk>> {
    // Before the client is answered: what it writes then has to be told.
    const end = await this.#log.end();
    return listenerStream(asked, format, (listener) => this.#listen(listener, asked.after, end));
  }

  #listen(listener: Listener, after: string | undefined, end: Place): () => void {
    if (this.#isClosed || this.#listeners.size >= this.#config.listeners) {
      throw new ServiceUnavailableError("No more listeners are allowed");
    }
    this.#listeners.add(listener);
    this.#join(listener, after, end).catch((error: unknown) => {
      this.#services.log.warn({ err: error }, "the events that a listener missed could not be sent");
      this.#end(listener);
    });
    return () => this.#remove(listener);
  }

  async #join(listener: Listener, after: string | undefined, end: Place): Promise<void> {
    const place = await this.#start(listener, after, end);
    const isDone = await this.#alone(async () => {
      if (!this.#listeners.has(listener)) return true;
      this.#place ??= place;
      await this.#catchUp(listener, place, this.#place);
      if (!this.#listeners.has(listener)) return true;
      this.#current.add(listener);
      this.#beats ??= setInterval(() => void this.#alone(() => this.#beat()), this.#config.heartbeatSeconds * 1000);
      this.#schedule(0);
      return true;
    });
    if (!isDone) this.#end(listener);
  }

  /** The place where a listener starts: the end of the log when it came, or the end of what it has missed. */
  async #start(listener: Listener, after: string | undefined, end: Place): Promise<Place> {
    if (after === undefined) return end;
    const known = await this.#log.placeOf(after);
    if (known) return this.#catchUp(listener, known);
    listener.reset();
    return end;
  }

  /** Polls the log now. */
  wake(): void {
    if (this.#isWoken || this.#current.size === 0) return;
    this.#isWoken = true;
    void this.#alone(() => this.#read());
  }

  /** Ends all streams, and accepts no new ones. */
  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) this.#end(listener);
  }

  /** Does this after all else; returns nothing if it fails. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const done = this.#working.then(() => this.#attempt(work));
    this.#working = done;
    return done;
  }

  #schedule(pause: number): void {
    clearTimeout(this.#next);
    if (this.#current.size > 0) this.#next = setTimeout(() => this.wake(), pause).unref();
  }

  async #read(): Promise<void> {
    this.#isWoken = false;
    // In case the database does not answer.
    this.#schedule(POLL);
    for (;;) {
      if (!this.#place || this.#current.size === 0) return;
      const events = await this.#log.after(this.#place);
      for (const { event, place } of events) {
        await this.#send(event, this.#current);
        // Without listeners there is no place: the next listener starts at the end.
        if (this.#current.size === 0) return;
        this.#place = place;
      }
      if (events.length === 0) break;
    }
    this.#schedule((await this.#log.isHeldUp()) ? HELD_UP : POLL);
  }

  /** Sends to all only after reading for all, so that retrying a failed read sends nobody the event twice. */
  async #send(event: CommittedEvent, listeners: Iterable<Listener>): Promise<void> {
    const view = viewOf(this.#services, event);
    const interested = [...listeners].filter(({ wanted }) => wants(wanted, event));
    const views = await Promise.all(
      interested.map(async (listener): Promise<[Listener, ShownEvent | undefined]> => {
        const caller = await this.#callerOf(listener);
        return [listener, caller && (await view(caller))];
      }),
    );
    // Some listeners may have left during the read.
    for (const [listener, shown] of views) if (shown && this.#listeners.has(listener)) listener.push(shown);
  }

  /** The caller behind a listener. Removes a listener that has lost the permission. */
  async #callerOf(listener: Listener): Promise<Caller | undefined> {
    try {
      const caller = await listener.caller();
      if (caller.can(ACTION)) return caller;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
    this.#end(listener);
    return undefined;
  }

  /**
   * Sends a listener the events that it has missed, and returns the place that it has reached. Up to `to`, others wait
   * meanwhile; without it, the events are sent as fast as the listener reads.
   */
  async #catchUp(listener: Listener, from: Place, to?: Place): Promise<Place> {
    let place = from;
    for (;;) {
      const events = await this.#log.after(place);
      for (const logged of events) {
        if (!this.#listeners.has(listener) || (to && isAfter(logged.place, to))) return place;
        if (!to) await listener.hasRoom();
        await this.#send(logged.event, [listener]);
        ({ place } = logged);
      }
      if (events.length === 0) return place;
    }
  }

  async #beat(): Promise<void> {
    await Promise.all([...this.#current].map((listener) => this.#callerOf(listener)));
    for (const listener of this.#current) listener.beat();
  }

  #end(listener: Listener): void {
    if (!this.#listeners.has(listener)) return;
    this.#remove(listener);
    listener.end();
  }

  #remove(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#current.delete(listener);
    if (this.#current.size > 0) return;
    this.#place = undefined;
    clearTimeout(this.#next);
    clearInterval(this.#beats);
    this.#beats = undefined;
  }
}
