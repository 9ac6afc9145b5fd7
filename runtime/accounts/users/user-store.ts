/** Reading and writing the rows of users. */
import { and, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { numberOf, requiredText } from "../../database/column-values.ts";
import type { Row, Session } from "../../database/database.ts";
import { builder, run } from "../../database/statement.ts";
import type { Registry } from "../../schema/registry.ts";
import { userTokenVersions } from "../../schema/tables/accounts.ts";
import { userColumns } from "./user-table.ts";

export interface User {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  /** The bcrypt hash; null for users who only log in at a provider. */
  readonly password: string | null;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  readonly roleDocumentId: string | null;
}

const toUser = ([id, documentId, username, email, provider, password, confirmed, blocked, role]: Row): User => ({
  id: numberOf(id),
  documentId: requiredText(documentId),
  username: requiredText(username),
  email: requiredText(email),
  provider: typeof provider === "string" ? provider : null,
  password: typeof password === "string" ? password : null,
  confirmed: confirmed === true,
  blocked: blocked === true,
  roleDocumentId: typeof role === "string" ? role : null,
});

export type UserColumns = ReturnType<typeof userColumns>;

/** The first user that meets a condition. */
const findWhere = async (
  session: Session,
  registry: Registry,
  condition: (columns: UserColumns) => SQL | undefined,
): Promise<User | undefined> => {
  const columns = userColumns(registry);
  const { table, ...selected } = columns;
  const { id, documentId, username, email, provider, password, confirmed, blocked, role } = selected;
  const [row] = await run(
    session,
    builder
      .select({ id, documentId, username, email, provider, password, confirmed, blocked, role })
      .from(table)
      .where(condition(columns))
      .orderBy(id)
      .limit(1),
  );
  return row && toUser(row);
};

export const findUserById = (session: Session, registry: Registry, id: number): Promise<User | undefined> =>
  findWhere(session, registry, (user) => eq(user.id, id));

export const findUserByDocumentId = (
  session: Session,
  registry: Registry,
  documentId: string,
): Promise<User | undefined> => findWhere(session, registry, (user) => eq(user.documentId, documentId));

/**
 * The user who logs in by password, with this e-mail address in any letter case, or else with exactly this name.
 * Addresses come first, so that nobody can block a login by taking another user's address as name.
 */
export const findLocalUser = async (
  session: Session,
  registry: Registry,
  identifier: string,
): Promise<User | undefined> => {
  const local = (condition: (columns: UserColumns) => SQL) =>
    findWhere(session, registry, (user) => and(eq(user.provider, "local"), condition(user)));
  return (
    (await local((user) => eq(user.email, identifier.toLowerCase()))) ??
    (await local((user) => eq(user.username, identifier)))
  );
};

export const findUserByEmail = (session: Session, registry: Registry, email: string): Promise<User | undefined> =>
  findWhere(session, registry, (user) => eq(user.email, email.toLowerCase()));

/** Another user than `except` with this name or address. */
export const findTaken = (
  session: Session,
  registry: Registry,
  { username, email, except = 0 }: { username?: string; email?: string; except?: number },
): Promise<User | undefined> =>
  findWhere(session, registry, (user) =>
    and(
      ne(user.id, except),
      or(
        username === undefined ? undefined : eq(user.username, username),
        email === undefined ? undefined : eq(user.email, email.toLowerCase()),
      ),
    ),
  );

/** A user who could be confused with a new one: has the same name or address, or one as the other. */
export const findNamesake = (
  session: Session,
  registry: Registry,
  { username, email }: { username: string; email: string },
): Promise<User | undefined> =>
  findWhere(session, registry, (user) =>
    or(eq(user.email, email), eq(user.username, email), eq(user.username, username), eq(user.email, username)),
  );

/** Invalidates all tokens of a user that were issued so far. */
export const endTokens = async (session: Session, userDocumentId: string): Promise<void> => {
  await run(
    session,
    builder
      .insert(userTokenVersions)
      .values({ userDocumentId, version: 1 })
      .onConflictDoUpdate({
        target: userTokenVersions.userDocumentId,
        set: { version: sql`${userTokenVersions.version} + 1` },
      }),
  );
};

/** The version that new tokens must have. */
export const tokenVersion = async (session: Session, userDocumentId: string): Promise<number> => {
  const [row] = await run(
    session,
    builder
      .select({ version: userTokenVersions.version })
      .from(userTokenVersions)
      .where(eq(userTokenVersions.userDocumentId, userDocumentId)),
  );
  return row ? numberOf(row[0]) : 0;
};
