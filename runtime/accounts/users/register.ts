/** Registers users, and confirms that their e-mail addresses belong to them. */
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, ValidationError } from "../../base/errors.ts";
import { email, membersOf, readBody, text } from "../body-check.ts";
import { withCode } from "../codes.ts";
import type { AccountServices } from "../services.ts";
import { passwordFaults } from "./login.ts";
import { inBackground, mailConfirmation } from "./mails.ts";
import { findTaken, findUserBy, type User } from "./user-store.ts";
import { checkUserKeys, createUser, updateUser } from "./user-writes.ts";

const always = new Set(["username", "email", "password"]);

/** Refuses members that visitors must not set, such as the role. */
const checkMembers = (members: Readonly<Record<string, unknown>>, allowedFields: readonly string[]): void => {
  const surplus = Object.keys(members).filter((name) => !always.has(name) && !allowedFields.includes(name));
  if (surplus.length > 0) throw new ValidationError(`Invalid parameters: ${surplus.join(", ")}`);
};

/** The error for a name or address that another user has. */
const taken = (): ApplicationError => new ApplicationError("Email or Username are already taken");

/** Creates a user from a registration, with the role for new users. Sends the confirmation mail if it is required. */
export const register = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { config, auth } = services;
  const { enabled, allowedFields, confirmEmail, defaultRole } = config.auth.register;
  if (!enabled) throw new ApplicationError("Register action is currently disabled");
  const members = membersOf(body);
  checkMembers(members, allowedFields);
  const required = z.object({ email, username: text, password: text });
  const { username, email: address } = readBody(required, body, await passwordFaults(auth.passwords, members));
  const { username: _name, email: _email, password: _password, ...more } = members;
  checkUserKeys(services, caller, more);
  const role = auth.roles.byType(defaultRole);
  if (!role) throw new Error(`auth.register.defaultRole: there is no role "${defaultRole}".`);
  if (await findTaken(services, { names: [username, address.toLowerCase()], emails: [address, username] }))
    throw taken();
  const user = await createUser(
    services,
    caller,
    {
      ...members,
      email: address.toLowerCase(),
      provider: "local",
      confirmed: !confirmEmail,
      blocked: false,
      role: role.documentId,
    },
    taken,
  );
  if (confirmEmail) inBackground(services, mailConfirmation(services, user));
  return user;
};

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
