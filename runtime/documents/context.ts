/** What writes need: the caller, and the services. */
import type { Caller } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import type { Database, Session } from "../database/database.ts";
import type { RowLimit } from "../query/index.ts";
import type { ContentType, Uid } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";

/** Ids for component entries that one server has reserved. */
export interface ComponentIds {
  /**
   * Runs `work`, which takes as many ids as it needs. If too few are reserved, reserves more from the sequence through
   * the given session and runs `work` again, so it must have no other effect. Ids of a rolled-back transaction are
   * lost, but never reused.
   */
  assign<Result>(session: Session, work: (nextId: () => number) => Result): Promise<Result>;
}

/** Queues of writers, one queue per document. */
export interface WriteQueue {
  /**
   * Runs `work` once few enough other writers are working on these documents.
   *
   * @throws ServiceUnavailableError when it has to wait for too long
   */
  run<Result>(documentIds: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** The services that a write needs. */
export interface WriteServices {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly componentIds: ComponentIds;
  readonly writeQueue: WriteQueue;
}

/** The context of a write: the caller, and the services. */
export interface WriteContext {
  readonly services: WriteServices;
  readonly caller: Caller;
}

/** The document that a body is for; it determines the locale in which the targets of references are looked up. */
export interface Source {
  readonly services: WriteServices;
  readonly type: ContentType;
  readonly locale: string | null;
  /** Whether targets may be absent from that locale: links of a copy show nothing there, like those of the original. */
  readonly anyLocale?: boolean | undefined;
  /** The rows of a type that the writer may read; undefined if it may read all. Other rows count as missing. */
  readonly readable?: ((uid: Uid) => RowLimit | undefined) | undefined;
}

/** Whether the writer may read drafts of a type. */
export type SeesDrafts = (uid: Uid) => boolean;

export interface FollowUp {
  /** Called in the transaction of an update. */
  updated?(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Called after a create, update or delete has been committed. */
  committed(database: Database): Promise<void>;
}

/** The follow-ups by type; most types have none. */
export type FollowUps = Readonly<Record<Uid, FollowUp>>;
