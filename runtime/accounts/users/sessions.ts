/** Sessions in refresh mode: a row that exists from login until logout, a password change, or expiry. */
import { and, asc, eq, gt, lt } from "drizzle-orm";
import { createId } from "../../base/create-id.ts";
import { secondsOf } from "../../base/duration.ts";
import type { Config } from "../../config/config.ts";
import { instantOf, requiredText } from "../../database/column-values.ts";
import type { Database, Row, Session } from "../../database/database.ts";
import { builder, run } from "../../database/statement.ts";
import { userSessions } from "../../schema/tables/accounts.ts";

export interface Device {
  readonly deviceId?: string;
  readonly deviceName?: string;
}

export interface UserSession {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly loginAt: string;
  readonly lastActiveAt: string;
}

/** A session, and the id of its currently valid refresh token. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly refreshId: string;
  /** Seconds until the refresh token expires. */
  readonly lifespan: number;
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
): Promise<OpenedSession> => {
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

/**
 * Exchanges a refresh token for the next one. For a while the previous token still returns the same successor, in case
 * the answer was lost. Later, or for older tokens, reuse means that somebody has copied a token, and ends the session.
 *
 * @returns the session with its new refresh token; undefined if the token is not valid
 */
export const rotateSession = async (
  database: Database,
  sessionId: string,
  refreshId: string,
  lifespans: Lifespans,
): Promise<OpenedSession | undefined> => {
  const now = new Date().toISOString();
  const next = createId();
  const open = and(eq(userSessions.id, sessionId), gt(userSessions.expiresAt, now));
  const [rotated] = await run(
    database,
    builder
      .update(userSessions)
      .set({ refreshId: next, previousRefreshId: refreshId, lastActiveAt: now })
      .where(and(open, eq(userSessions.refreshId, refreshId)))
      .returning({ expiresAt: userSessions.expiresAt }),
  );
  if (rotated) return { sessionId, refreshId: next, lifespan: lifespanUntil(endOf(rotated[0]), lifespans) };
  const [current] = await run(
    database,
    builder
      .select({
        previous: userSessions.previousRefreshId,
        refreshId: userSessions.refreshId,
        expiresAt: userSessions.expiresAt,
        rotatedAt: userSessions.lastActiveAt,
      })
      .from(userSessions)
      .where(open),
  );
  if (!current) return undefined;
  const [previous, successor, expiresAt, rotatedAt] = current;
  const isLost = endOf(rotatedAt).getTime() + secondsOf(lifespans.graceLifespan) * 1000 > Date.now();
  if (previous === refreshId && isLost) {
    return { sessionId, refreshId: requiredText(successor), lifespan: lifespanUntil(endOf(expiresAt), lifespans) };
  }
  await run(database, builder.delete(userSessions).where(eq(userSessions.id, sessionId)));
  return undefined;
};

const endOf = (value: Row[number] | undefined): Date => instantOf(value) ?? new Date(0);

/** Which sessions to end: the one with an id, those of a device, or all. */
export type Ended = { readonly sessionId: string } | { readonly deviceId: string } | "all";

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
export const listSessions = async (database: Session, userDocumentId: string): Promise<readonly UserSession[]> => {
  const open = and(
    eq(userSessions.userDocumentId, userDocumentId),
    gt(userSessions.expiresAt, new Date().toISOString()),
  );
  const { id, deviceId, deviceName, createdAt, lastActiveAt } = userSessions;
  const rows = await run(
    database,
    builder
      .select({ id, deviceId, deviceName, createdAt, lastActiveAt })
      .from(userSessions)
      .where(open)
      .orderBy(asc(createdAt), asc(id)),
  );
  return rows.map(([id, deviceId, deviceName, createdAt, lastActiveAt]) => ({
    id: requiredText(id),
    deviceId: typeof deviceId === "string" ? deviceId : null,
    deviceName: typeof deviceName === "string" ? deviceName : null,
    loginAt: endOf(createdAt).toISOString(),
    lastActiveAt: endOf(lastActiveAt).toISOString(),
  }));
};
