/** Making, changing and deleting users, as documents like any other, with everything that follows from it. */
import { type Caller, system } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import { checkKeys } from "../../documents/body/keys.ts";
import * as operations from "../../documents/operations/index.ts";
import type { AccountServices } from "../services.ts";
import { findUserByDocumentId, type User } from "./user-store.ts";
import { userUid } from "./user-table.ts";

/** Attributes of a user by name; the password in clear. Relations as any body writes them. */
export type UserData = Readonly<Record<string, unknown>>;

const contextOf = (services: AccountServices): operations.OperationContext => ({
  services,
  caller: system,
  code: true,
});

const identity = { fields: ["documentId"] };

const reread = async ({ database, registry }: AccountServices, documentId: string): Promise<User> => {
  const user = await findUserByDocumentId(database, registry, documentId);
  if (!user) throw new Error("A user that was just written is gone.");
  return user;
};

/** Whether a write was refused because of a name or address that somebody has. */
const isTaken = (error: unknown): boolean =>
  error instanceof ValidationError && error.message === "This attribute must be unique";

/** Refuses members of a body that the caller may not write: relations to what they may not find, hidden attributes. */
export const checkUserKeys = (services: AccountServices, caller: Caller, data: UserData): void =>
  checkKeys({ services, caller }, services.registry.contentType(userUid), data);

/** Makes a user. `taken` is the error for a name or address that somebody took in the meantime. */
export const createUser = async (services: AccountServices, data: UserData, taken: () => Error): Promise<User> => {
  const type = services.registry.contentType(userUid);
  try {
    const created = await operations.create(contextOf(services), type, { data, query: identity });
    return await reread(services, created?.documentId ?? "");
  } catch (error) {
    throw isTaken(error) ? taken() : error;
  }
};

/** Changes a user. A new password, and being blocked, end every token and session that there is. */
export const updateUser = async (services: AccountServices, user: User, data: UserData): Promise<User> => {
  const type = services.registry.contentType(userUid);
  await operations.update(contextOf(services), type, user.documentId, { data, query: identity });
  await services.auth.accounts.changed();
  return reread(services, user.documentId);
};

/**
 * Deletes a user; tokens, sessions and codes go with the document. `also` is done before, in the same transaction.
 *
 * @returns false when somebody else has deleted the user meanwhile
 */
export const deleteUser = async (services: AccountServices, user: User, also?: operations.Also): Promise<boolean> => {
  const type = services.registry.contentType(userUid);
  const removed = await operations.remove(contextOf(services), type, user.documentId, {}, also);
  await services.auth.accounts.changed();
  return removed;
};
