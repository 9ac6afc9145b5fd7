/** Logs users in, and resets and changes their passwords, which ends all earlier tokens and sessions. */
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, HttpError, ValidationError } from "../../base/errors.ts";
import { recordAct } from "../../documents/recorders.ts";
import type { Data, FieldError } from "../../schema/validation/check.ts";
import { email, faultOf, membersOf, onlyThese, readBody, text } from "../body-check.ts";
import { withCode } from "../codes.ts";
import type { Passwords } from "../passwords.ts";
import type { AccountServices } from "../services.ts";
import { inBackground, mailResetCode } from "./mails.ts";
import { findLocalUser, findUserBy, type User, userUid } from "./user-store.ts";
import { updateUser } from "./user-writes.ts";

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

/**
 * Mails a code to the user with the address in the body, if that user may log in. The answer does not reveal whether
 * there is one.
 */
export const forgotPassword = async (services: AccountServices, body: unknown): Promise<void> => {
  const { email: address } = readBody(onlyThese({ email }), body);
  const user = await findUserBy(services, { email: address });
  if (user && !user.blocked) inBackground(services, mailResetCode(services, user));
};

/** The faults of the new password in a body. */
export const passwordFaults = async (passwords: Passwords, { password }: Data): Promise<readonly FieldError[]> => {
  const message = typeof password === "string" && password !== "" ? await passwords.faultOf(password) : undefined;
  return message === undefined ? [] : [faultOf("password", message, password)];
};

/** Reads a body with a new password, given twice, and the proof of who sends it. */
const readNewPassword = async <Proof extends z.ZodRawShape>(proof: Proof, body: unknown, passwords: Passwords) => {
  const members = membersOf(body);
  const again = members["passwordConfirmation"];
  const faults = [...(await passwordFaults(passwords, members))];
  if (typeof again === "string" && again !== "" && again !== members["password"])
    faults.push(faultOf("passwordConfirmation", "Passwords do not match", again));
  // Bodies that begin a session may name a device.
  const shape = { ...proof, password: text, passwordConfirmation: text, deviceId: z.unknown().optional() };
  return readBody(onlyThese(shape), body, faults);
};

/**
 * Sets the password of the user to whom the code in the body was mailed. If the password is refused, the code stays
 * valid.
 */
export const resetPassword = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { code, password } = await readNewPassword({ code: text }, body, services.auth.passwords);
  return withCode(services, ["reset-password", "invitation"], code, async (found) => {
    const user = await recordingRefusal(services, caller, found, async () => {
      if (!found) throw new ValidationError("Incorrect code provided");
      checkMayLogIn(services, found);
      return found;
    });
    return updateUser(services, caller, user, { password });
  });
};

/** Sets the password of the logged-in user, who must give the current one. */
export const changePassword = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { auth } = services;
  if (caller.userId === undefined) throw new ApplicationError("You must be authenticated to reset your password");
  const { currentPassword, password } = await readNewPassword({ currentPassword: text }, body, auth.passwords);
  const found = await findUserBy(services, { id: caller.userId });
  const matches = await auth.passwords.matches(currentPassword, found?.password);
  const user = await recordingRefusal(services, caller, found, async () => {
    if (!found || !matches) throw new ValidationError("The provided current password is invalid");
    return found;
  });
  if (currentPassword === password) {
    throw new ValidationError("Your new password must be different than your current password");
  }
  return updateUser(services, caller, user, { password });
};
