/** What follows from changing a user. */
import type { Session } from "../../database/database.ts";
import { announceAccounts } from "./accounts.ts";
import { endSessions } from "./sessions.ts";
import { endTokens } from "./user-store.ts";

export const userFollowUp = {
  /** A new password, and being blocked, end every token and session that there is. */
  async updated(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    if (data.password === undefined && data.blocked !== true) return;
    await endTokens(session, documentId);
    await endSessions(session, documentId, "all");
  },
  committed: announceAccounts,
};
