/** The options with which the driver opens connections. */
import type { createSockets } from "./socket.ts";
import { driverTypes } from "./types.ts";

/** Settings of a session, by PostgreSQL's names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * What statements and answers are written in, whatever the server, the database or the role sets. Poolers keep these for
 * each of their clients; `ISO, MDY` is how the server says it, so that they find nothing to change.
 */
const NOTATION = { TimeZone: "UTC", DateStyle: "ISO, MDY", standard_conforming_strings: "on" };

interface Means {
  readonly sockets: ReturnType<typeof createSockets>;
  /** Milliseconds in which the server must accept the connection. */
  readonly patience: number;
  readonly settings: SessionSettings;
  onclose(): void;
  readonly onNotify: ((channel: string, payload: string) => void) | undefined;
}

/** All are set explicitly, so that neither the address nor environment variables change how the driver behaves. */
export const driverOptions = ({ sockets, patience, settings, onclose, onNotify }: Means) => ({
  max: 1,
  max_lifetime: null,
  idle_timeout: 0,
  connect_timeout: patience / 1000,
  backoff: () => 0,
  prepare: true,
  debug: false,
  fetch_types: false,
  types: driverTypes,
  connection: { application_name: "galley", ...NOTATION, ...settings },
  socket: sockets.open,
  onclose,
  onnotice: () => {},
  ...(onNotify ? { onnotify: onNotify } : {}),
});
