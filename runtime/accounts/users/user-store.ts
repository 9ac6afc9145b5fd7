/** The rows of users: the columns that the runtime needs, and finding users by them. */
import { and, eq, getTableColumns, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { builder, numberOf, requiredText, type Row, run, type Session, textOrNone } from "../../database/database.ts";
import type { Registry } from "../../schema/registry.ts";
import { userTokenVersions } from "../../schema/tables/accounts.ts";

export const userUid = "plugin::users-permissions.user";

export const userColumns = (registry: Registry) => {
  const { table } = registry.contentType(userUid);
  const { id, documentId, username, email, provider, password, confirmed, blocked, role } = getTableColumns(table);
  if (!id || !documentId || !username || !email || !provider || !password || !confirmed || !blocked || !role) {
    throw new Error(
      `The content type "${userUid}" needs the attributes "username", "email", "provider", "password", "confirmed", "blocked" and "role".`,
    );
  }
  return { table, id, documentId, username, email, provider, password, confirmed, blocked, role };
};

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
  username: textOrNone(username),
  email: textOrNone(email),
  provider: typeof provider === "string" ? provider : null,
  password: typeof password === "string" ? password : null,
  confirmed: confirmed === true,
  blocked: blocked === true,
  roleDocumentId: typeof role === "string" ? role : null,
});

type UserColumns = Omit<ReturnType<typeof userColumns>, "table">;

/** What finding users needs. */
interface UserServices {
  readonly database: Session;
  readonly registry: Registry;
}

/** The first user that meets a condition. */
const findWhere = async (
  { database, registry }: UserServices,
  condition: (columns: UserColumns) => SQL | undefined,
): Promise<User | undefined> => {
  const { table, ...columns } = userColumns(registry);
  const matching = builder.select(columns).from(table).where(condition(columns)).orderBy(columns.id).limit(1);
  const [row] = await run(database, matching);
  return row && toUser(row);
};

/** The user with an id, a documentId, or an e-mail address in any letter case. */
export const findUserBy = (
  services: UserServices,
  key: { readonly id: number } | { readonly documentId: string } | { readonly email: string },
): Promise<User | undefined> =>
  findWhere(services, (user) => {
    if ("id" in key) return eq(user.id, key.id);
    return "email" in key ? eq(user.email, key.email.toLowerCase()) : eq(user.documentId, key.documentId);
  });

/**
 * The user who logs in by password, with this e-mail address in any letter case, or else with exactly this name.
 * Addresses come first, so that nobody can block a login by taking another user's address as name.
 */
export const findLocalUser = async (services: UserServices, identifier: string): Promise<User | undefined> => {
  const local = (condition: (columns: UserColumns) => SQL) =>
    findWhere(services, (user) => and(eq(user.provider, "local"), condition(user)));
  return (
    (await local((user) => eq(user.email, identifier.toLowerCase()))) ??
    (await local((user) => eq(user.username, identifier)))
  );
};

/** Another user than `except` who has one of these names, or one of these addresses. */
export const findTaken = (
  services: UserServices,
  { names = [], emails = [], except = 0 }: { names?: string[]; emails?: string[]; except?: number },
): Promise<User | undefined> =>
  findWhere(services, (user) =>
    and(
      ne(user.id, except),
      or(
        inArray(user.username, names),
        inArray(
          user.email,
          emails.map((each) => each.toLowerCase()),
        ),
      ),
    ),
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
