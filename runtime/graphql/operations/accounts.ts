/** Account operations in GraphQL: the same operations, limits and messages as over REST. */
import { GraphQLError } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { tooMany } from "../../accounts/rate-limit.ts";
import { roleUid } from "../../accounts/roles/roles.ts";
import { issueTokens } from "../../accounts/users/sessions.ts";
import { findUser, type UserRead, withRole } from "../../accounts/users/user-reads.ts";
import type { User } from "../../accounts/users/user-store.ts";
import { objectOf } from "../../query/index.ts";
import type { GraphqlContext, Node } from "../context.ts";

interface Attempt {
  /** The REST path whose rate limit these attempts count towards. */
  readonly path: string;
  /** Attempts are also counted per e-mail address. */
  readonly email?: unknown;
}

/** Counts an attempt, and refuses it if there were too many. */
export const countAttempt = async ({ services, address }: GraphqlContext, attempt: Attempt): Promise<void> => {
  const { path, email } = attempt;
  const allowance = await services.auth.rateLimit.count({
    path,
    address,
    ...("email" in attempt ? { email: typeof email === "string" ? email : "" } : {}),
  });
  if (allowance?.exceeded) throw tooMany();
};

/** What `me` shows of a user: what the caller sees in lists, plus the role, whatever the caller may find. */
export const meNode = async (
  { services, caller }: GraphqlContext,
  id: number,
  how?: UserRead,
): Promise<Node | null> => {
  const withRoles: Caller = { ...caller, can: (action) => action === `${roleUid}.find` || caller.can(action) };
  const user = await findUser(services, withRoles, id, withRole(caller), how);
  if (!user) return null;
  const node = objectOf(user);
  // The entity format identifies every document by its documentId, so a user has the same id everywhere.
  return services.config.graphql.format === "entity" ? { ...node, id: node["documentId"] } : node;
};

/** Logs the user in. The response has no field for a refresh token, so the token lives as long as one of REST does. */
export const loginNode = async (context: GraphqlContext, user: User): Promise<Node> => {
  const { jwt } = await issueTokens(context.services, user, {});
  return { jwt, user: await meNode(context, user.id, { isAnswer: true }) };
};

/** The logged-in user; null for callers who are not users, such as API tokens. */
export const currentUser = async (context: GraphqlContext): Promise<Node | null> => {
  const { userId } = context.caller;
  if (userId === undefined) throw new GraphQLError("Authentication requested");
  return meNode(context, userId);
};
