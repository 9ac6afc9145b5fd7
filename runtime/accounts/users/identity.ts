/** Issues tokens to a user who has been authenticated. */
import { secondsOf } from "../../base/duration.ts";
import type { AccountServices } from "../services.ts";
import { type Device, openSession, type OpenedSession } from "./sessions.ts";
import { tokenVersion, type User } from "./user-store.ts";

export interface Tokens {
  readonly jwt: string;
  /** Set in refresh mode only. */
  readonly refresh?: { readonly token: string; readonly lifespan: number };
}

/** The access token for an open session, and its refresh token. */
export const sessionTokens = async (
  { config, auth }: AccountServices,
  { userId, version }: { userId: number; version: number },
  { sessionId, refreshId, lifespan }: OpenedSession,
): Promise<Tokens> => {
  const claims = { userId, version, sessionId };
  const access = secondsOf(config.auth.sessions.accessTokenLifespan);
  const [jwt, token] = await Promise.all([
    auth.jwt.sign({ ...claims, type: "access" }, access),
    auth.jwt.sign({ ...claims, type: "refresh", refreshId }, lifespan),
  ]);
  return { jwt, refresh: { token, lifespan } };
};

/** Logs a user in: issues one long-lived token, or opens a session, depending on the configuration. */
export const issueTokens = async (services: AccountServices, user: User, device: Device = {}): Promise<Tokens> => {
  const { config, database, auth } = services;
  const version = await tokenVersion(database, user.documentId);
  if (config.auth.jwt.mode === "legacy") {
    const lifespan = secondsOf(config.auth.jwt.expiresIn);
    return { jwt: await auth.jwt.sign({ userId: user.id, version, type: "legacy" }, lifespan) };
  }
  const session = await openSession(database, user.documentId, device, config.auth.sessions);
  return sessionTokens(services, { userId: user.id, version }, session);
};
