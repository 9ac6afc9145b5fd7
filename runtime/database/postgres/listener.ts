/** Receives notifications on a separate connection, which is reopened whenever it is lost. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";

/** Milliseconds between checks whether the server still answers, and in which it must answer one. */
const HEARTBEAT = 10_000;
/** Milliseconds in which a listener's notification to itself must arrive. */
const ARRIVAL = 5000;
/** Longest pause in milliseconds between attempts to reconnect. */
const REST = 2000;

type Receive = Parameters<Database["listen"]>[1];

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

interface ListenerOptions {
  /** Opens a connection. */
  readonly open: (events: ConnectionEvents) => Promise<Connection>;
  /** Sends a notification without a payload, on another connection. */
  readonly notify: (channel: string) => Promise<unknown>;
  readonly heartbeat?: number;
  readonly arrival?: number;
}

/**
 * A pooler that switches connections between transactions silently drops notifications. So the listener notifies
 * itself; if that does not arrive, receivers are called after every heartbeat.
 */
export class Listener {
  readonly #options: Required<ListenerOptions>;
  readonly #channels = new Map<string, Set<Receive>>();
  readonly #ownChannel = `galley_listener_${randomUUID()}`;
  readonly #beats: NodeJS.Timeout;
  #isHeard = false;
  #isProbing = false;
  #opened: Promise<void> | undefined;
  #current: Connection | undefined;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = { heartbeat: HEARTBEAT, arrival: ARRIVAL, ...options };
    this.#beats = setInterval(() => this.#beat(), this.#options.heartbeat).unref();
  }

  async listen(channel: string, receive: Receive): Promise<() => Promise<void>> {
    const receivers = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, receivers.add(receive));
    const stop = async (): Promise<void> => {
      receivers.delete(receive);
      if (receivers.size > 0) return;
      this.#channels.delete(channel);
      // Without a connection there is nothing to unlisten.
      await this.#current?.script(`unlisten ${quoted(channel)}`).catch(() => {});
    };
    try {
      await (this.#opened ??= this.#establish());
      await this.#current?.script(`listen ${quoted(channel)}`);
      return stop;
    } catch (error) {
      if (!this.#current) this.#opened = undefined;
      await stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#beats);
    await this.#opened?.catch(() => {});
    await this.#current?.close();
  }

  #tell(channel: string, payload?: string): void {
    if (channel === this.#ownChannel) this.#isHeard = true;
    for (const receive of this.#channels.get(channel) ?? []) receive(payload);
  }

  #tellAll(): void {
    for (const channel of this.#channels.keys()) this.#tell(channel);
  }

  async #establish(): Promise<void> {
    let isReady = false;
    this.#isHeard = false;
    const connection = await this.#options.open({
      onNotify: (channel, payload) => this.#tell(channel, payload),
      onLost: () => void (isReady && (this.#opened = this.#again())),
    });
    try {
      for (const channel of [this.#ownChannel, ...this.#channels.keys()])
        await connection.script(`listen ${quoted(channel)}`);
    } catch (error) {
      connection.drop("The connection to the database cannot listen");
      throw error;
    }
    isReady = true;
    this.#current = connection;
  }

  /** Reconnects. Notifications that were sent meanwhile are lost, so receivers are called without a payload. */
  async #again(attempt = 1): Promise<void> {
    await sleep(Math.min(attempt * 100, REST), undefined, { ref: false });
    if (this.#isClosed) return;
    try {
      await this.#establish();
    } catch {
      return this.#again(attempt + 1);
    }
    this.#tellAll();
  }

  /** Sends nothing else meanwhile: any client that runs a query may get a notification, whatever it listens to. */
  async #probe(connection: Connection): Promise<void> {
    await connection.script("select 1");
    await this.#options.notify(this.#ownChannel);
    await sleep(this.#options.arrival, undefined, { ref: false });
    if (!this.#isHeard && !this.#isClosed) this.#tellAll();
  }

  #beat(): void {
    const current = this.#current;
    if (!current || current.isLost) return;
    if (current.stuckFor() > this.#options.heartbeat / 2) return current.drop("The database does not answer");
    if (this.#isProbing) return;
    this.#isProbing = !this.#isHeard;
    const work = this.#isHeard ? current.script("select 1") : this.#probe(current);
    work.catch(() => {}).finally(() => (this.#isProbing = false));
  }
}
