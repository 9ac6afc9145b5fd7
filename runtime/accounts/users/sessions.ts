/** Sessions in refresh mode: a row that exists from login until logout, a password change, or expiry. */
import { and, asc, eq, gt, lt, getTableColumns } from "drizzle-orm";
import type { Caller } from "../../access/caller.ts";
import { createId } from "../../base/create-id.ts";
import { secondsOf } from "../../base/duration.ts";
import { BadRequestError, NotFoundError, UnauthorizedError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import { builder, type Database, run, selected, type Session } from "../../database/database.ts";
import { instantOf } from "../../database/instants.ts";
import { recordAct } from "../../documents/recorders.ts";
import { userSessions } from "../../schema/tables/accounts.ts";
import type { AccountServices } from "../services.ts";
import { tokenVersion, type User } from "./user-store.ts";

export interface Device {
  readonly deviceId?: string;
  readonly deviceName?: string;
}

type Lifespans = Config["auth"]["sessions"];

const lifespanUntil = (end: Date, { idleLifespan }: Lifespans): number =>
  Math.max(1, Math.min(secondsOf(idleLifespan), Math.floor((end.getTime() - Date.now()) / 1000)));

/** Opens a session for a user who has just logged in, and deletes the user's expired ones. */
export const openSession = async (
  database: Session,
  userDocumentId: string,
  { deviceId, deviceName }: Device,
  lifespans: Lifespans,
) => {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + secondsOf(lifespans.maxLifespan) * 1000);
  const expired = and(eq(userSessions.userDocumentId, userDocumentId), lt(userSessions.expiresAt, now.toISOString()));
  await run(database, builder.delete(userSessions).where(expired));
  const opened = { sessionId: createId(), refreshId: createId(), lifespan: lifespanUntil(expiresAt, lifespans) };
  await run(
    database,
    builder.insert(userSessions).values({
      id: opened.sessionId,
      userDocumentId,
      deviceId: deviceId ?? null,
      deviceName: deviceName ?? null,
      refreshId: opened.refreshId,
      createdAt: now.toISOString(),
      lastActiveAt: now.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }),
  );
  return opened;
};

/** A session, the id of its currently valid refresh token, and the seconds until that expires. */
type OpenedSession = Awaited<ReturnType<typeof openSession>>;

/**
 * Exchanges a refresh token for the next one. For a while the previous token still returns the same successor, in case
 * the response was lost. Later, or for older tokens, reuse means that somebody has copied a token, and ends the
 * session.
 *
 * @returns the session with its new refresh token; undefined if the token is not valid
 */
const rotateSession = async (
  database: Database,
  sessionId: string,
  refreshId: string,
  lifespans: Lifespans,
): Promise<OpenedSession | undefined> => {
  const now = new Date().toISOString();
  const next = createId();
  const open = and(eq(userSessions.id, sessionId), gt(userSessions.expiresAt, now));
  const columns = getTableColumns(userSessions);
  const rotation = builder
    .update(userSessions)
    .set({ refreshId: next, previousRefreshId: refreshId, lastActiveAt: now })
    .where(and(open, eq(userSessions.refreshId, refreshId)))
    .returning(columns);
  const [rotated] = await selected(database, columns, rotation);
  if (rotated) return { sessionId, refreshId: next, lifespan: lifespanUntil(endOf(rotated.expiresAt), lifespans) };
  const [current] = await selected(database, columns, builder.select(columns).from(userSessions).where(open));
  if (!current) return undefined;
  const isLost = endOf(current.lastActiveAt).getTime() + secondsOf(lifespans.graceLifespan) * 1000 > Date.now();
  if (current.previousRefreshId === refreshId && isLost) {
    return { sessionId, refreshId: current.refreshId, lifespan: lifespanUntil(endOf(current.expiresAt), lifespans) };
  }
  await run(database, builder.delete(userSessions).where(eq(userSessions.id, sessionId)));
  return undefined;
};

const endOf = (value: string): Date => instantOf(value) ?? new Date(0);

/** Which sessions to end: the one with an id, those of a device, or all. */
type Ended = { readonly sessionId: string } | { readonly deviceId: string } | "all";

/** Ends sessions of a user; returns their number. */
export const endSessions = async (database: Session, userDocumentId: string, ended: Ended): Promise<number> => {
  const which =
    ended === "all"
      ? undefined
      : "sessionId" in ended
        ? eq(userSessions.id, ended.sessionId)
        : eq(userSessions.deviceId, ended.deviceId);
  const rows = await run(
    database,
    builder
      .delete(userSessions)
      .where(and(eq(userSessions.userDocumentId, userDocumentId), which))
      .returning({ id: userSessions.id }),
  );
  return rows.length;
};

/** The open sessions of a user, in the order of their logins. */
const listSessions = async (database: Session, userDocumentId: string) => {
  const open = and(
    eq(userSessions.userDocumentId, userDocumentId),
    gt(userSessions.expiresAt, new Date().toISOString()),
  );
  const { id, deviceId, deviceName, createdAt, lastActiveAt } = userSessions;
  const columns = { id, deviceId, deviceName, createdAt, lastActiveAt };
  const rows = builder.select(columns).from(userSessions).where(open).orderBy(asc(createdAt), asc(id));
  return (await selected(database, columns, rows)).map(({ createdAt, lastActiveAt, ...session }) => ({
    ...session,
    loginAt: endOf(createdAt).toISOString(),
    lastActiveAt: endOf(lastActiveAt).toISOString(),
  }));
};

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

/** The session that a request refers to: that of the refresh token, or else the caller's own. */
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

/** The open sessions of the caller, and which of them the request belongs to. */
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
export const issueTokens = async (
  services: AccountServices,
  caller: Caller,
  user: User,
  device: Device = {},
): Promise<Tokens> => {
  const { config, database, auth, recorders } = services;
  const by: Caller = { ...caller, kind: "user", userId: user.id, userDocumentId: user.documentId };
  await recordAct(database, recorders, { action: "login.succeed" }, by);
  const version = await tokenVersion(database, user.documentId);
  if (config.auth.jwt.mode === "legacy") {
    const lifespan = secondsOf(config.auth.jwt.expiresIn);
    return { jwt: await auth.jwt.sign({ userId: user.id, version, type: "legacy" }, lifespan) };
  }
  const session = await openSession(database, user.documentId, device, config.auth.sessions);
  return sessionTokens(services, { userId: user.id, version }, session);
};
