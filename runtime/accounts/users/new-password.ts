/** Resets and changes passwords. Both end all earlier tokens and sessions. */
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, ValidationError } from "../../base/errors.ts";
import { BodyReader } from "../body-check.ts";
import { withCode } from "../codes.ts";
import type { Passwords } from "../passwords.ts";
import type { AccountServices } from "../services.ts";
import { checkMayLogIn } from "./login.ts";
import { inBackground, mailResetCode } from "./mails.ts";
import { findUserBy, type User } from "./user-store.ts";
import { updateUser } from "./user-writes.ts";

/**
 * Mails a code to the user with the address in the body, if that user may log in. The answer does not reveal whether
 * there is one.
 */
export const forgotPassword = async (services: AccountServices, body: unknown): Promise<void> => {
  const reader = new BodyReader(body);
  const email = reader.email("email");
  reader.nothingElse();
  reader.done();
  const user = await findUserBy(services, { email });
  if (user && !user.blocked) inBackground(services, mailResetCode(services, user));
};

/** Adds the fault of a password that is to be set, if there is one. */
export const checkPassword = async (
  reader: BodyReader,
  passwords: Passwords,
  password: string | undefined,
): Promise<void> => {
  const fault = password ? await passwords.faultOf(password) : undefined;
  if (fault !== undefined) reader.refuseAs("password", fault);
};

/** The new password, which the body contains twice. All faults of the body are reported. */
const readNewPassword = async (reader: BodyReader, passwords: Passwords): Promise<string> => {
  const password = reader.text("password");
  await checkPassword(reader, passwords, password);
  const confirmation = reader.text("passwordConfirmation");
  if (confirmation !== "" && confirmation !== password) {
    reader.refuseAs("passwordConfirmation", "Passwords do not match");
  }
  // Bodies that begin a session may name a device.
  reader.nothingElse(["deviceId"]);
  reader.done();
  return password;
};

/**
 * Sets the password of the user to whom the code in the body was mailed. If the password is refused, the code stays
 * valid.
 */
export const resetPassword = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { database, auth } = services;
  const reader = new BodyReader(body);
  const code = reader.text("code");
  const password = await readNewPassword(reader, auth.passwords);
  return withCode(database, "reset-password", code, async (documentId) => {
    const user = documentId === undefined ? undefined : await findUserBy(services, { documentId });
    if (!user) throw new ValidationError("Incorrect code provided");
    checkMayLogIn(services, user);
    return updateUser(services, caller, user, { password });
  });
};

/** Sets the password of the logged-in user, who must give the current one. */
export const changePassword = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { auth } = services;
  if (caller.userId === undefined) throw new ApplicationError("You must be authenticated to reset your password");
  const reader = new BodyReader(body);
  const currentPassword = reader.text("currentPassword");
  const password = await readNewPassword(reader, auth.passwords);
  const user = await findUserBy(services, { id: caller.userId });
  const matches = await auth.passwords.matches(currentPassword, user?.password);
  if (!user || !matches) throw new ValidationError("The provided current password is invalid");
  if (currentPassword === password) {
    throw new ValidationError("Your new password must be different than your current password");
  }
  return updateUser(services, caller, user, { password });
};
