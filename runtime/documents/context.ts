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

/** What a write works with. */
export interface WriteServices {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly componentIds: ComponentIds;
}

/** Who writes, and where. */
export interface WriteContext {
  readonly services: WriteServices;
  readonly caller: Caller;
}

/** Which version of a document: `published` is also the only version of types without draft & publish. */
export type State = "draft" | "published";
