/** Committed changes, as the project's code gets them. */
import type { EventName } from "../config/events.ts";
import type { HookServices } from "./hooks.ts";

/** A committed change. */
export interface CommittedEvent {
  /** The idempotency key: an event that is delivered again has the same one. */
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

/** Code that receives an event at least once. If it throws, it is called again later. */
export type EventHandler = (event: CommittedEvent, services: HookServices) => unknown;

/** The handlers of `app.ts` by event: one, or several by a name of their own. */
export type EventHandlers = Readonly<Partial<Record<EventName, EventHandler | Readonly<Record<string, EventHandler>>>>>;
