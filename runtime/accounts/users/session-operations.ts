/** Operations of a user on their own sessions, in refresh mode only. */
import type { Caller } from "../../access/caller.ts";
import { BadRequestError, NotFoundError, UnauthorizedError } from "../../base/errors.ts";
import type { AccountServices } from "../services.ts";
import { sessionTokens, type Tokens } from "./identity.ts";
import { endSessions, type Ended, listSessions, rotateSession } from "./sessions.ts";

const invalid = (): UnauthorizedError => new UnauthorizedError("Invalid refresh token");

/** Exchanges a refresh token for new tokens. */
export const refreshSession = async (services: AccountServices, token: string | undefined): Promise<Tokens> => {
  const { config, database, auth } = services;
  if (!token) throw new BadRequestError("Missing refresh token");
  const claims = await auth.jwt.verify(token);
  if (claims?.type !== "refresh" || claims.sessionId === undefined || claims.refreshId === undefined) throw invalid();
  const account = await auth.accounts.find(claims.userId);
  if (!account || account.blocked || account.tokenVersion !== claims.version) throw invalid();
  const session = await rotateSession(database, claims.sessionId, claims.refreshId, config.auth.sessions);
  if (!session) {
    await auth.accounts.changed();
    throw invalid();
  }
  return sessionTokens(services, claims, session);
};

/** The documentId of the logged-in user; throws a 401 for other callers. */
const ownerOf = ({ userDocumentId }: Caller): string => {
  if (userDocumentId === undefined) throw new UnauthorizedError();
  return userDocumentId;
};

/** The session that a request means: that of the refresh token, or else the caller's own. */
export const sessionOf = async (
  { auth }: AccountServices,
  caller: Caller,
  token: string | undefined,
): Promise<string> => {
  const claims = token === undefined ? undefined : await auth.jwt.verify(token);
  const sessionId = claims?.sessionId ?? caller.sessionId;
  if (sessionId === undefined) throw new UnauthorizedError();
  return sessionId;
};

/** Ends sessions of the caller. */
export const endOwnSessions = async (services: AccountServices, caller: Caller, ended: Ended): Promise<void> => {
  const count = await endSessions(services.database, ownerOf(caller), ended);
  if (count > 0) await services.auth.accounts.changed();
};

/** Ends the caller's session with this id; throws a 404 if there is none. */
export const revokeSession = async (services: AccountServices, caller: Caller, sessionId: string): Promise<void> => {
  const count = await endSessions(services.database, ownerOf(caller), { sessionId });
  if (count === 0) throw new NotFoundError("Session not found");
  await services.auth.accounts.changed();
};

/** The open sessions of the caller, with which of them the request belongs to. */
export const ownSessions = async (services: AccountServices, caller: Caller) => {
  const sessions = await listSessions(services.database, ownerOf(caller));
  return sessions.map(({ id, deviceId, deviceName, loginAt, lastActiveAt }) => ({
    id,
    deviceId,
    deviceName,
    current: id === caller.sessionId,
    loginAt,
    lastActiveAt,
  }));
};
