/** Follow-up work after writes to documents of built-in types, whichever API the write came from. */
import type { Database, Session } from "../database/database.ts";
import type { Uid } from "../schema/content-type.ts";

export interface FollowUp {
  /** Called in the transaction of an update. */
  updated?(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Called after a create, update or delete has been committed. */
  committed(database: Database): Promise<void>;
}

/** The follow-ups by type; most types have none. */
export type FollowUps = Readonly<Record<Uid, FollowUp>>;
