/** A stream of committed changes, as those who listen to it know it. */
import type { Caller } from "../access/caller.ts";
import type { EventName } from "../config/events.ts";

/** An event as a caller may see it. */
export interface ShownEvent {
  /** The same as webhooks have it: an event that comes again has the same one. */
  readonly id: string;
  readonly event: EventName;
  readonly createdAt: string;
  /** The content type; null for files. */
  readonly uid: string | null;
  readonly model: string;
  readonly documentId: string;
  readonly locale: string | null;
  /** Of the version; null where the type has no drafts. */
  readonly status: "draft" | "published" | null;
  /** The version as the caller may read it now, or the file; null when it is gone. */
  readonly entry: Readonly<Record<string, unknown>> | null;
}

/** What is asked of a stream. */
export interface Wanted {
  readonly events?: readonly EventName[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly locales?: readonly string[] | null | undefined;
  readonly documentId?: string | null | undefined;
}

/** Somebody who is told of events as they are committed. */
export interface Listener {
  readonly wanted: Wanted;
  /** Who listens, asked before each event; the stream ends when there is a 401, or it may not listen any more. */
  caller(): Caller | Promise<Caller>;
  /** An event; listeners with the same rights get the same object. */
  push(event: ShownEvent): void;
  /** What happened since the event that it knew is not known any more: it has to read anew. */
  reset(): void;
  /** Nothing has happened for a while. */
  beat?(): void;
  /** Resolves when the listener has room for more. */
  hasRoom(): Promise<unknown>;
  /** It is told nothing more. */
  end(): void;
}

export interface EventStream {
  /** The action of those who may listen. */
  readonly action: string;
  /**
   * Tells `listener` of what is committed from now on, or after the event that it names. Returns what ends it.
   *
   * @throws ServiceUnavailableError when there are as many listeners as there may be
   */
  listen(listener: Listener, after?: string): () => void;
}
