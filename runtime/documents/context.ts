import type { Caller } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import type { Database, Session } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";

/** Ids for component entries that one server has reserved. */
export interface ComponentIds {
  /**
   * Takes `count` ids. Reserves a new block from the sequence, through the given session, only when the current one is
   * used up. Ids of a transaction that is rolled back are lost, but never given twice.
   *
   * @returns a function that gives one id per call
   */
  take(session: Session, count: number): Promise<() => number>;
}

/** Queues of writers, one queue per document. */
export interface Turns {
  /**
   * Runs `work` when few enough other writers are at work on these documents.
   *
   * @throws ServiceUnavailableError when it has to wait for too long
   */
  take<Result>(documentIds: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** The services that a write needs. */
export interface WriteServices {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly componentIds: ComponentIds;
  readonly turns: Turns;
}

/** The context of a write: the caller, and the services. */
export interface WriteContext {
  readonly services: WriteServices;
  readonly caller: Caller;
}
