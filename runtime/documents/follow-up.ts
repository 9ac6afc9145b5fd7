/** What follows from writing documents of built-in types, wherever the write comes from. */
import { roleFollowUp } from "../accounts/roles/roles.ts";
import { userFollowUp } from "../accounts/users/follow-up.ts";
import type { Database, Session } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";

export interface FollowUp {
  /** In the transaction of an update. */
  updated?(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** After a create, update or delete has been committed. */
  committed(database: Database): Promise<void>;
}

const followUps: Readonly<Record<string, FollowUp>> = {
  "plugin::users-permissions.role": roleFollowUp,
  "plugin::users-permissions.user": userFollowUp,
};

/** What follows from writing documents of a type; nothing for most. */
export const followUpOf = ({ uid }: ContentType): FollowUp | undefined => followUps[uid];
