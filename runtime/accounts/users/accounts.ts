/** What authentication needs to know about users and their sessions, cached. */
import { and, eq, gt } from "drizzle-orm";
import {
  builder,
  type Client,
  type Database,
  notify,
  readerFor,
  requiredText,
  run,
  type Value,
} from "../../database/database.ts";
import type { Registry } from "../../schema/registry.ts";
import { userSessions, userTokenVersions } from "../../schema/tables/accounts.ts";
import { userColumns } from "./user-store.ts";

const CHANNEL = "galley_accounts";

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;
export type Account = NonNullable<Awaited<ReturnType<Accounts["find"]>>>;

/** Notifies all processes to clear their cache of users and sessions. */
export const announceAccounts = (database: Database): Promise<void> => notify(database, CHANNEL);

const textOrNull = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);

/** @param forget called when users or sessions changed, in this or another process */
export const createAccounts = async (database: Database, registry: Registry, forget: () => void) => {
  const loadAccount = async (userId: number, client?: Client) => {
    const { table, id, documentId, role, blocked, confirmed } = userColumns(registry);
    const [row] = await run(
      readerFor(database, client),
      builder
        .select({ documentId, role, blocked, confirmed, version: userTokenVersions.version })
        .from(table)
        .leftJoin(userTokenVersions, eq(userTokenVersions.userDocumentId, documentId))
        .where(eq(id, userId)),
    );
    if (!row) return undefined;
    const [document, roleDocumentId, isBlocked, isConfirmed, version] = row;
    return {
      documentId: requiredText(document),
      roleDocumentId: textOrNull(roleDocumentId),
      blocked: isBlocked === true,
      confirmed: isConfirmed === true,
      /** The version that the user's tokens must carry. */
      tokenVersion: typeof version === "number" ? version : 0,
    };
  };

  const stop = await database.listen(CHANNEL, forget);
  return {
    /** The account of a user by the id of its row. */
    find: loadAccount,
    /** Whether a session of the user is still open. */
    async isOpen(sessionId: string, userDocumentId: string, client?: Client): Promise<boolean> {
      const { id, userDocumentId: user, expiresAt } = userSessions;
      const open = and(eq(id, sessionId), eq(user, userDocumentId), gt(expiresAt, new Date().toISOString()));
      return (await run(readerFor(database, client), builder.select({ id }).from(userSessions).where(open))).length > 0;
    },
    /** Clears the cache in all processes. Call it after a user or session changed. */
    async changed() {
      forget();
      await announceAccounts(database);
    },
    close: stop,
  };
};
