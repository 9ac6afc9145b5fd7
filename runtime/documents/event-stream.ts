/** A stream of committed changes, as its listeners see it. */
import type { Caller } from "../access/caller.ts";
import type { EventName } from "../config/events.ts";

/** An event as a caller may see it. */
export interface ShownEvent {
  /** The same id as in webhooks: a redelivered event has the same one. */
  readonly id: string;
  readonly event: EventName;
  readonly createdAt: string;
  /** The content type; null for files. */
  readonly uid: string | null;
  readonly model: string;
  readonly documentId: string;
  readonly locale: string | null;
  /** The status of the version; null where the type has no drafts. */
  readonly status: "draft" | "published" | null;
  /** The version as the caller may read it now, or the file; null if it no longer exists. */
  readonly entry: Readonly<Record<string, unknown>> | null;
}

/** The options of a stream. */
export interface Wanted {
  readonly events?: readonly EventName[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly locales?: readonly string[] | null | undefined;
  readonly documentId?: string | null | undefined;
}

/** A listener, notified of events as they are committed. */
export interface Listener {
  readonly wanted: Wanted;
  /** The caller, checked before each event: on a 401, or if it may no longer listen, the stream ends. */
  caller(): Caller | Promise<Caller>;
  /** Receives an event; listeners with the same rights get the same object. */
  push(event: ShownEvent): void;
  /** The events since the last one that the listener knew are no longer available: it has to read everything again. */
  reset(): void;
  /** A heartbeat: no event for a while. */
  beat?(): void;
  /** Resolves when the listener has room for more. */
  hasRoom(): Promise<unknown>;
  /** The stream has ended. */
  end(): void;
}

export interface EventStream {
  /** The action that permits listening. */
  readonly action: string;
  /**
   * Notifies `listener` of each event committed from now on, or after the event that it names. Returns a function that
   * ends the stream.
   *
   * @throws ServiceUnavailableError when the maximum number of listeners is reached
   */
  listen(listener: Listener, after?: string): () => void;
}
