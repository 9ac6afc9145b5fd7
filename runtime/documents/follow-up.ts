/** What follows from writing documents of built-in types, wherever the write comes from. */
import type { Database, Session } from "../database/database.ts";
import type { Uid } from "../schema/content-type.ts";

export interface FollowUp {
  /** In the transaction of an update. */
  updated?(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** After a create, update or delete has been committed. */
  committed(database: Database): Promise<void>;
}

/** What follows from writing documents of a type, by its uid; nothing for most. */
export type FollowUps = Readonly<Record<Uid, FollowUp>>;
