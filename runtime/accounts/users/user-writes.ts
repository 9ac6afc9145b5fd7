/** Creates, changes and deletes users through the document operations, so that hooks and follow-up work run. */
import { type Caller, system, systemFor } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import { checkKeys } from "../../documents/body/keys.ts";
import * as operations from "../../documents/operations/index.ts";
import type { AccountServices } from "../services.ts";
import { findUserBy, type User, userUid } from "./user-store.ts";

/** The attributes of a user, with the password in plain text and relations as in any body. */
export type UserData = Readonly<Record<string, unknown>>;

/**
 * The context for writing users and roles as documents, so that their hooks run. The permission has been checked
 * already; the caller's row rules still apply to related documents.
 */
export const writingFor = (services: AccountServices, by: Caller = system): operations.OperationContext => ({
  services,
  caller: systemFor(by),
  by,
  code: true,
});

/** The query of writes whose result nobody needs. */
export const IDENTITY = { fields: ["documentId"] };

const reread = async (services: AccountServices, documentId: string): Promise<User> => {
  const user = await findUserBy(services, { documentId });
  if (!user) throw new Error("A user that was just written is gone.");
  return user;
};

/** Whether a write was refused because another user has the name or address. */
const isTaken = (error: unknown): boolean =>
  error instanceof ValidationError && error.message === "This attribute must be unique";

/**
 * Refuses members that the caller may not write: hidden attributes, and relations to types that the caller may not
 * read.
 */
export const checkUserKeys = (services: AccountServices, caller: Caller, data: UserData): void =>
  checkKeys({ services, caller }, services.registry.contentType(userUid), data);

/** Creates a user for a caller. `taken` makes the error for a name or address that another request took meanwhile. */
export const createUser = async (
  services: AccountServices,
  by: Caller,
  data: UserData,
  taken: () => Error,
): Promise<User> => {
  const type = services.registry.contentType(userUid);
  try {
    const created = await operations.create(writingFor(services, by), type, { data, query: IDENTITY });
    return await reread(services, created?.documentId ?? "");
  } catch (error) {
    throw isTaken(error) ? taken() : error;
  }
};

/** Changes a user for a caller. A new password, or blocking the user, ends all tokens and sessions. */
export const updateUser = async (services: AccountServices, by: Caller, user: User, data: UserData): Promise<User> => {
  const type = services.registry.contentType(userUid);
  await operations.update(writingFor(services, by), type, user.documentId, { data, query: IDENTITY });
  await services.auth.accounts.changed();
  return reread(services, user.documentId);
};

/**
 * Deletes a user for a caller, with all tokens, sessions and codes. `also` runs before that, in the same transaction.
 *
 * @returns false if another request has deleted the user meanwhile
 */
export const deleteUser = async (
  services: AccountServices,
  by: Caller,
  user: User,
  also?: operations.Also,
): Promise<boolean> => {
  const type = services.registry.contentType(userUid);
  const removed = await operations.remove(writingFor(services, by), type, user.documentId, {}, also);
  await services.auth.accounts.changed();
  return removed;
};
