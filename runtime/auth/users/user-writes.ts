/** Making, changing and deleting users, with everything that follows from it. */
import { createId } from "@paralleldrive/cuid2";
import { eq, getTableColumns } from "drizzle-orm";
import { documents } from "../../columns.ts";
import { faultOf } from "../../database/fault.ts";
import { build, run } from "../../database/statements.ts";
import { ValidationError } from "../../errors.ts";
import type { Services } from "../../services.ts";
import { hashPassword } from "../passwords.ts";
import { endSessions } from "./sessions.ts";
import { endTokens, findUserByDocumentId, type User } from "./user-store.ts";
import { userColumns, userUid } from "./user-table.ts";

const UNIQUE_VIOLATION = "23505";

/** Attributes of a user by name; the password in clear. */
export type UserData = Readonly<Record<string, unknown>>;

/** The documentId of a role, which a body may name by its number. */
const roleIn = ({ auth }: Services, role: unknown): string | null => {
  const found = auth.roles.all().find(({ id, documentId }) => id === Number(role) || documentId === role);
  if (!found) throw new ValidationError(`There is no role ${JSON.stringify(role)}`);
  return found.documentId;
};

const storable = async (services: Services, data: UserData): Promise<Record<string, unknown>> => {
  const { config, registry } = services;
  const columns = getTableColumns(userColumns(registry).table);
  const { password, role, ...others } = data;
  const known = Object.fromEntries(Object.entries(others).filter(([name]) => Object.hasOwn(columns, name)));
  if (role !== undefined) known.role = roleIn(services, role);
  if (typeof password !== "string") return known;
  return { ...known, password: await hashPassword(password, config.auth.passwords.rounds) };
};

const reread = async ({ database, registry }: Services, documentId: string): Promise<User> => {
  const user = await findUserByDocumentId(database, registry, documentId);
  if (!user) throw new Error("A user that was just written is gone.");
  return user;
};

/** Makes a user. `taken` is the error for a name or address that somebody took in the meantime. */
export const createUser = async (services: Services, data: UserData, taken: () => Error): Promise<User> => {
  const { database, registry } = services;
  const documentId = createId();
  const now = new Date().toISOString();
  const version = { ...(await storable(services, data)), documentId, createdAt: now, updatedAt: now, publishedAt: now };
  try {
    await database.transaction(async (session) => {
      await run(session, build.insert(documents).values({ documentId, type: userUid }));
      await run(session, build.insert(userColumns(registry).table).values(version));
    });
  } catch (error) {
    throw faultOf(error)?.code === UNIQUE_VIOLATION ? taken() : error;
  }
  return reread(services, documentId);
};

/** Changes a user. A new password, and being blocked, end every token and session that there is. */
export const updateUser = async (services: Services, user: User, data: UserData): Promise<User> => {
  const { database, registry, auth } = services;
  const { table, id } = userColumns(registry);
  const version = { ...(await storable(services, data)), updatedAt: new Date().toISOString() };
  await database.transaction(async (session) => {
    await run(session, build.update(table).set(version).where(eq(id, user.id)));
    if (data.password === undefined && data.blocked !== true) return;
    await endTokens(session, user.documentId);
    await endSessions(session, user.documentId, "all");
  });
  await auth.accounts.changed();
  return reread(services, user.documentId);
};

/** Deletes a user; tokens, sessions and codes go with the document. */
export const deleteUser = async ({ database, auth }: Services, user: User): Promise<void> => {
  await run(database, build.delete(documents).where(eq(documents.documentId, user.documentId)));
  await auth.accounts.changed();
};
