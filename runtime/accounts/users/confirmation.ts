/** Confirms that an e-mail address belongs to its user. */
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, ValidationError } from "../../base/errors.ts";
import { email, readBody, text } from "../body-check.ts";
import { withCode } from "../codes.ts";
import type { AccountServices } from "../services.ts";
import { inBackground, mailConfirmation } from "./mails.ts";
import { findUserBy, type User } from "./user-store.ts";
import { updateUser } from "./user-writes.ts";

/**
 * Confirms the user to whom the code in `parameters` was mailed, and returns that user. If a hook refuses this, the
 * code stays valid.
 */
export const confirmEmail = async (services: AccountServices, caller: Caller, parameters: unknown): Promise<User> => {
  const { confirmation: code } = readBody(z.object({ confirmation: text }), parameters);
  return withCode(services, ["confirm-email"], code, async (user) => {
    if (!user) throw new ValidationError("Invalid token");
    return updateUser(services, caller, user, { confirmed: true });
  });
};

/**
 * Mails the code again, if there is an unconfirmed user. Returns the address from the body, whether or not a user has
 * it.
 *
 * @throws ApplicationError for a user who is confirmed or blocked, with `auth.register.tellConfirmed`
 */
export const sendConfirmation = async (services: AccountServices, body: unknown): Promise<string> => {
  const { email: address } = readBody(z.object({ email }), body);
  const user = await findUserBy(services, { email: address });
  if (!user) return address;
  const { tellConfirmed } = services.config.auth.register;
  if (user.confirmed && tellConfirmed) throw new ApplicationError("Already confirmed");
  if (user.blocked && tellConfirmed) throw new ApplicationError("User blocked");
  if (!user.confirmed && !user.blocked) inBackground(services, mailConfirmation(services, user));
  return address;
};
