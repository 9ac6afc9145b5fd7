import type { Caller } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import type { Database, Session } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";

/** The ids for component entries that one running server has in hand. */
export interface ComponentIds {
  /**
   * Takes `count` ids; the sequence is asked, through the transaction at hand, only when the block runs out. Ids of a
   * transaction that is rolled back are lost, never given twice.
   *
   * @returns gives the next of the ids
   */
  take(session: Session, count: number): Promise<() => number>;
}

/** Lines of writers, one for each document. */
export interface Turns {
  /**
   * Runs `work` when few enough others have one of these documents.
   *
   * @throws ServiceUnavailableError when its turn does not come in time
   */
  take<Result>(documentIds: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** What a write works with. */
export interface WriteServices {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly componentIds: ComponentIds;
  readonly turns: Turns;
}

/** Who writes, and where. */
export interface WriteContext {
  readonly services: WriteServices;
  readonly caller: Caller;
}
