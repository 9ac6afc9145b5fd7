import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, HttpError, ValidationError } from "../../base/errors.ts";
import { recordAct } from "../../documents/recorders.ts";
import { readBody, text } from "../body-check.ts";
import type { AccountServices } from "../services.ts";
import { findLocalUser, type User, userUid } from "./user-store.ts";

/** Refuses users who may not log in. Call it after the user has proven their identity. */
export const checkMayLogIn = ({ config }: AccountServices, user: User): void => {
  if (config.auth.register.confirmEmail && !user.confirmed) {
    throw new ApplicationError("Your account email is not confirmed");
  }
  if (user.blocked) throw new ApplicationError("Your account has been blocked by an administrator");
};

/**
 * The user with the identifier (name or e-mail address) and password in a body. Refusing an unknown user takes the same
 * time, and has the same message, as for a wrong password.
 */
export const logIn = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { identifier, password } = readBody(z.object({ identifier: text, password: text }), body);
  const user = await findLocalUser(services, identifier);
  const matches = await services.auth.passwords.matches(password, user?.password);
  return recordingRefusal(services, caller, user, async () => {
    if (!user || !matches) throw new ValidationError("Invalid identifier or password");
    checkMayLogIn(services, user);
    return user;
  });
};

/**
 * Lets somebody prove who they are, and records why they are refused. An unknown identifier is left out: it may be a
 * password that was typed in its place.
 */
export const recordingRefusal = async <Result>(
  { database, recorders }: AccountServices,
  caller: Caller,
  user: User | undefined,
  prove: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) {
      const subject = user && { type: userUid, id: user.documentId, name: user.username };
      const details = { reason: error.message };
      await recordAct(database, recorders, { action: "login.fail", subject, details }, caller);
    }
    throw error;
  }
};
