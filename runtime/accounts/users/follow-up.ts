/** What follows from changing a user. */
import type { Session } from "../../database/database.ts";
import { forgetCodes } from "../codes.ts";
import { announceAccounts } from "./accounts.ts";
import { endSessions } from "./sessions.ts";
import { endTokens } from "./user-store.ts";

/** Codes that a new password, or being blocked, makes worthless: who had them could log in by them. */
const ENTRANCES = ["reset-password", "provider-login"] as const;
/** Codes that went to an address. */
const MAILED = ["reset-password", "confirm-email"] as const;

export const userFollowUp = {
  /**
   * A new password, and being blocked, end every token, session and code that there is; another address ends what was
   * mailed to the one before.
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
