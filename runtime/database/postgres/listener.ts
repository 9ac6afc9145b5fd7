/** Receives notifications, on a separate connection that is opened again whenever it is lost. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { translate } from "../fault.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";

/** Milliseconds between checks whether the server still answers, and in which it must answer one. */
const HEARTBEAT = 10_000;
/** Milliseconds in which a notification of its own reaches a listener. */
const ARRIVAL = 5000;
/** Longest pause in milliseconds between attempts to reconnect. */
const REST = 2000;

type Receive = Parameters<Database["listen"]>[1];

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

export interface ListenerOptions {
  /** Opens a connection. */
  readonly open: (events: ConnectionEvents) => Promise<Connection>;
  /** Sends a notification without a payload, on another connection. */
  readonly notify: (channel: string) => Promise<unknown>;
  readonly heartbeat?: number;
  readonly arrival?: number;
}

/**
 * A pooler that gives each transaction another connection takes notifications away and says nothing of it. So the listener
 * notifies itself; where that does not arrive, receivers are called after every heartbeat.
 */
export const createListener = ({ open, notify, heartbeat = HEARTBEAT, arrival = ARRIVAL }: ListenerOptions) => {
  const channels = new Map<string, Set<Receive>>();
  const ownChannel = `galley_listener_${randomUUID()}`;
  let isHeard = false;
  let isProbing = false;
  let opened: Promise<void> | undefined;
  let current: Connection | undefined;
  let isClosed = false;

  const tell = (channel: string, payload?: string): void => {
    if (channel === ownChannel) isHeard = true;
    for (const receive of channels.get(channel) ?? []) receive(payload);
  };
  const tellAll = (): void => {
    for (const channel of channels.keys()) tell(channel);
  };

  const establish = async (): Promise<void> => {
    let isReady = false;
    const onLost = (): void => void (isReady && (opened = again()));
    isHeard = false;
    const connection = await open({ onNotify: tell, onLost });
    try {
      for (const channel of [ownChannel, ...channels.keys()]) await connection.script(`listen ${quoted(channel)}`);
    } catch (error) {
      connection.drop("The connection to the database cannot listen");
      throw error;
    }
    isReady = true;
    current = connection;
  };

  /** Reconnects. Notifications that were sent meanwhile are lost, so receivers are called without a payload. */
  const again = async (attempt = 1): Promise<void> => {
    await sleep(Math.min(attempt * 100, REST), undefined, { ref: false });
    if (isClosed) return;
    try {
      await establish();
    } catch {
      await again(attempt + 1);
      return;
    }
    tellAll();
  };

  /** Nothing else is sent meanwhile: a notification may reach whoever asks something, whatever he listens to. */
  const probe = async (connection: Connection): Promise<void> => {
    await connection.script("select 1");
    await notify(ownChannel);
    await sleep(arrival, undefined, { ref: false });
    if (!isHeard && !isClosed) tellAll();
  };

  const beat = (): void => {
    if (!current || current.isLost) return;
    if (current.stuckFor() > heartbeat / 2) return current.drop("The database does not answer");
    if (isProbing) return;
    isProbing = !isHeard;
    const work = isHeard ? current.script("select 1") : probe(current);
    work.catch(() => {}).finally(() => (isProbing = false));
  };
  const beats = setInterval(beat, heartbeat).unref();

  return {
    async listen(channel: string, receive: Receive): Promise<() => Promise<void>> {
      const receivers = channels.get(channel) ?? new Set();
      channels.set(channel, receivers.add(receive));
      const stop = async (): Promise<void> => {
        receivers.delete(receive);
        if (receivers.size > 0) return;
        channels.delete(channel);
        // Without a connection there is nothing to unlisten.
        await current?.script(`unlisten ${quoted(channel)}`).catch(() => {});
      };
      try {
        await (opened ??= establish());
        await current?.script(`listen ${quoted(channel)}`);
        return stop;
      } catch (error) {
        if (!current) opened = undefined;
        await stop();
        throw translate(error);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(beats);
      await opened?.catch(() => {});
      await current?.close();
    },
  };
};
