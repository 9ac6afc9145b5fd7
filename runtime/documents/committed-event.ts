/** Committed changes, as application code receives them. */
import type { EventName } from "../config/events.ts";
import type { HookServices } from "./hooks.ts";

/** A committed change. */
export interface CommittedEvent {
  /** The idempotency key: a redelivered event has the same one. */
  readonly id: string;
  readonly event: EventName;
  /** The content type; null for files. */
  readonly uid: string | null;
  readonly documentId: string;
  readonly locale: string | null;
  readonly createdAt: Date;
  /** The version as the change left it, without relations and components; or the file. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Code that receives each event at least once. If it throws, the event is redelivered later. */
export type EventHandler = (event: CommittedEvent, services: HookServices) => unknown;

/** The handlers of `app.ts` by event: a single handler, or several, each under a name of its own. */
export type EventHandlers = Readonly<Partial<Record<EventName, EventHandler | Readonly<Record<string, EventHandler>>>>>;
