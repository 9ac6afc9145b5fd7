/** A stream of committed changes, as its listeners see it. */
import type { Caller } from "../access/caller.ts";
import type { EventName } from "../config/events.ts";

/** The headers of an answer of server-sent events. */
export const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  // Makes nginx pass events on at once.
  "X-Accel-Buffering": "no",
};

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

/** A client that listens. */
export interface Asked {
  readonly wanted: Wanted;
  /** The caller, checked before each event: on a 401, or if it may no longer listen, the stream ends. */
  caller(): Caller | Promise<Caller>;
  /** The id of the last event that the client received. */
  readonly after: string | undefined;
  /** Disconnects a client that does not read what it is sent. */
  readonly cut?: () => void;
}

/** What is sent to a client. */
export interface Format<Chunk> {
  /** Listeners with the same rights get the same event, which has to be written only once. */
  readonly event: (shown: ShownEvent) => Chunk;
  /** The events since the last one that the client knew are no longer available: it has to read everything again. */
  readonly reset: Chunk;
  /** A heartbeat: no event for a while. */
  readonly beat?: Chunk;
  /** What comes first. */
  readonly start?: Chunk;
  /** The bytes that it takes while it waits to be read. */
  readonly size: (chunk: Chunk) => number;
}

export interface EventStream {
  /** The action that permits listening. */
  readonly action: string;
  /**
   * Each event committed once this has resolved, or after the one that the client names.
   *
   * @throws ServiceUnavailableError when the maximum number of listeners is reached
   */
  open<Chunk>(asked: Asked, format: Format<Chunk>): Promise<ReadableStream<Chunk>>;
}
