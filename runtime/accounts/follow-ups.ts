/** Follow-up work after writes of roles and users, whichever API the write came from. */
import type { Session } from "../database/database.ts";
import type { FollowUps } from "../documents/context.ts";
import { forgetCodes } from "./codes.ts";
import { roleFollowUp, roleUid } from "./roles/roles.ts";
import { announceAccounts } from "./users/accounts.ts";
import { endSessions } from "./users/sessions.ts";
import { endTokens, userUid } from "./users/user-store.ts";

/** Codes that allow a login, so they are deleted when the password changes or the user is blocked. */
const ENTRANCES = ["reset-password", "invitation", "provider-login"] as const;
/** Codes that were mailed to an address. */
const MAILED = ["reset-password", "invitation", "confirm-email"] as const;

const userFollowUp = {
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

export const accountFollowUps: FollowUps = { [roleUid]: roleFollowUp, [userUid]: userFollowUp };
