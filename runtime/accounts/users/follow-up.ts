/** Follow-up work after a change of a user. */
import type { Session } from "../../database/database.ts";
import { forgetCodes } from "../codes.ts";
import { announceAccounts } from "./accounts.ts";
import { endSessions } from "./sessions.ts";
import { endTokens } from "./user-store.ts";

/** Codes that allow a login, so they are deleted when the password changes or the user is blocked. */
const ENTRANCES = ["reset-password", "provider-login"] as const;
/** Codes that were mailed to an address. */
const MAILED = ["reset-password", "confirm-email"] as const;

export const userFollowUp = {
  /**
   * A new password, or blocking the user, ends all tokens and sessions and deletes codes. A new address deletes the
   * codes mailed to the old one.
   */
  async updated(session: Session, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    if (data.email !== undefined) await forgetCodes(session, documentId, MAILED);
    if (data.password === undefined && data.blocked !== true) return;
    await forgetCodes(session, documentId, ENTRANCES);
    await endTokens(session, documentId);
    await endSessions(session, documentId, "all");
  },
  committed: announceAccounts,
};
