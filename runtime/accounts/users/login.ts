import { z } from "zod";
import { ApplicationError, ValidationError } from "../../base/errors.ts";
import { readBody, text } from "../body-check.ts";
import type { AccountServices } from "../services.ts";
import { findLocalUser, type User } from "./user-store.ts";

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
export const logIn = async (services: AccountServices, body: unknown): Promise<User> => {
  const { identifier, password } = readBody(z.object({ identifier: text, password: text }), body);
  const user = await findLocalUser(services, identifier);
  const matches = await services.auth.passwords.matches(password, user?.password);
  if (!user || !matches) throw new ValidationError("Invalid identifier or password");
  checkMayLogIn(services, user);
  return user;
};
