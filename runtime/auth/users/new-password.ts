/** Forgotten and changed passwords. Either way, everything that was issued before ends. */
import { BadRequestError, UnauthorizedError, ValidationError } from "../../errors.ts";
import type { Services } from "../../services.ts";
import { BodyReader } from "../body-check.ts";
import type { Caller } from "../caller.ts";
import { redeemCode } from "../codes.ts";
import { checkMayLogIn } from "./login.ts";
import { inBackground, mailResetCode } from "./mails.ts";
import { findUserByDocumentId, findUserByEmail, findUserById, type User } from "./user-store.ts";
import { updateUser } from "./user-writes.ts";

/** Mails a code to the user with the address of a body, if there is one who may log in. Never tells which. */
export const forgotPassword = async (services: Services, body: unknown): Promise<void> => {
  const reader = new BodyReader(body);
  const email = reader.email("email");
  reader.done();
  const user = await findUserByEmail(services.database, services.registry, email);
  if (user && !user.blocked) inBackground(services, mailResetCode(services, user));
};

const readNewPassword = (reader: BodyReader): string => {
  const password = reader.text("password");
  const confirmation = reader.text("passwordConfirmation");
  reader.done();
  if (password !== confirmation) throw new ValidationError("Passwords do not match");
  return password;
};

/** Sets the password of the user who was mailed the code of a body. */
export const resetPassword = async (services: Services, body: unknown): Promise<User> => {
  const { database, registry, auth } = services;
  const reader = new BodyReader(body);
  const code = reader.text("code");
  const password = readNewPassword(reader);
  await auth.passwords.check(password);
  const documentId = await redeemCode(database, "reset-password", code);
  const user = documentId === undefined ? undefined : await findUserByDocumentId(database, registry, documentId);
  if (!user) throw new ValidationError("Incorrect code provided");
  checkMayLogIn(services, user);
  return updateUser(services, user, { password });
};

/** Sets the password of the logged-in user, who has to know the current one. */
export const changePassword = async (services: Services, caller: Caller, body: unknown): Promise<User> => {
  const { database, registry, auth } = services;
  if (caller.userId === undefined) throw new UnauthorizedError();
  const reader = new BodyReader(body);
  const currentPassword = reader.text("currentPassword");
  const password = readNewPassword(reader);
  await auth.passwords.check(password);
  const user = await findUserById(database, registry, caller.userId);
  const matches = await auth.passwords.matches(currentPassword, user?.password);
  if (!user || !matches) throw new ValidationError("The provided current password is invalid");
  if (currentPassword === password) {
    throw new BadRequestError("Your new password must be different than your current password");
  }
  return updateUser(services, user, { password });
};
