/** Follow-up work after writes of roles and users, whichever API the write came from. */
import type { FollowUps } from "../documents/follow-up.ts";
import { roleFollowUp, roleUid } from "./roles/roles.ts";
import { userFollowUp } from "./users/follow-up.ts";
import { userUid } from "./users/user-table.ts";

export const accountFollowUps: FollowUps = { [roleUid]: roleFollowUp, [userUid]: userFollowUp };
