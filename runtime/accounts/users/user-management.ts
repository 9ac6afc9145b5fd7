import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { isListed } from "../../access/field-lists.ts";
import { ApplicationError, invalidKey, NotFoundError, ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
/** Management of users by administrators. */
import type { FieldError } from "../../schema/validation/check.ts";
import { notOfType } from "../../schema/validation/messages.ts";
import { changedEmail, changedText, email, faultOf, filledText, membersOf, readBody } from "../body-check.ts";
import type { AccountServices } from "../services.ts";
import { passwordFaults } from "./login.ts";
import { findTaken, findUserBy, type User, userUid } from "./user-store.ts";
import { checkUserKeys, createUser, deleteUser, updateUser } from "./user-writes.ts";

const isId = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value) && value >= 0);

/** The faults of a list of `{ id }`; `name` is its path. */
const listFaults = (name: string, value: unknown): readonly FieldError[] => {
  if (value === undefined) return [faultOf(name, `${name} is a required field`, value)];
  return Array.isArray(value) ? [] : [faultOf(name, notOfType("array", [name], value), value)];
};

/**
 * The faults of `role`, which is an id, or an object with the lists `connect` and, for changing a user, `disconnect`.
 */
const roleFaults = (role: unknown, { changing }: { readonly changing: boolean }): readonly FieldError[] => {
  if (role === undefined) return changing ? [] : [faultOf("role", "role is a required field", role)];
  if (typeof role !== "object") return isId(role) ? [] : [faultOf("role", notOfType("strapiID", ["role"], role), role)];
  if (role === null || Array.isArray(role)) return [faultOf("role", notOfType("object", ["role"], role), role)];
  const { connect, disconnect } = membersOf(role);
  const faults = [
    ...listFaults("role.connect", connect),
    ...(changing ? listFaults("role.disconnect", disconnect) : []),
  ];
  if (!Array.isArray(connect) || connect.length > 0) return faults;
  if (!changing) return [...faults, faultOf("role.connect", "Users must have a role", connect)];
  const isRemoved = Array.isArray(disconnect) && disconnect.length > 0;
  return isRemoved ? [...faults, faultOf("role.disconnect", "Cannot remove role", disconnect)] : faults;
};

const emailTaken = (): ApplicationError => new ApplicationError("Email already taken");
const nameNotUnique = (): ApplicationError => new ApplicationError("This attribute must be unique");

/** The largest id that a row can have. */
const LARGEST = 2_147_483_647;

/** The members of a body that are attributes of the type; other members are ignored. */
const attributesIn = ({ registry }: AccountServices, members: Readonly<Record<string, unknown>>) => {
  const { attributes } = registry.contentType(userUid);
  return Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(attributes, name)));
};

/**
 * Refuses members that the caller may not write. The caller can assign a role even without permission to read roles,
 * unless an attribute list excludes `role`.
 */
const checkMembers = (
  services: AccountServices,
  caller: Caller,
  { role, ...others }: Readonly<Record<string, unknown>>,
): void => {
  if (role !== undefined && !isListed(caller.fields, userUid, "role", "write")) {
    throw invalidKey("role", { path: "role", source: "body" });
  }
  checkUserKeys(services, caller, others);
};

/** The user id in a path. A number that cannot be an id becomes 0, which no row has. */
export const userIdOf = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new ValidationError("The id of a user is a number");
  const id = Number(text);
  return id > LARGEST ? 0 : id;
};

/** Creates a user from a body with `username`, `email`, `password`, `role` and other attributes of the type. */
export const addUser = async (services: AccountServices, caller: Caller, body: unknown): Promise<User> => {
  const { auth } = services;
  const members = membersOf(body);
  const faults = [
    ...(await passwordFaults(auth.passwords, members)),
    ...roleFaults(members["role"], { changing: false }),
  ];
  const required = z.object({ email, username: filledText, password: filledText });
  const { username, email: address } = readBody(required, body, faults);
  if (await findTaken(services, { names: [username] })) throw nameNotUnique();
  if (await findTaken(services, { emails: [address] })) throw emailTaken();
  const attributes = attributesIn(services, members);
  checkMembers(services, caller, attributes);
  try {
    return await createUser(
      services,
      caller,
      { ...attributes, provider: "local", email: address.toLowerCase() },
      emailTaken,
    );
  } catch (error) {
    // Clients identify these errors by their message only.
    throw error instanceof ValidationError ? new ApplicationError(error.message) : error;
  }
};

/** Changes the attributes of a user that the body names; throws a 404 if there is no user with this id. */
export const editUser = async (services: AccountServices, caller: Caller, id: number, body: unknown): Promise<User> => {
  const { auth } = services;
  const user = await findUserBy(services, { id });
  if (!user) throw new NotFoundError("User not found");
  const members = membersOf(body);
  const faults = [
    ...(await passwordFaults(auth.passwords, members)),
    ...roleFaults(members["role"], { changing: true }),
  ];
  const known = z.object({ email: changedEmail, username: changedText, password: changedText });
  const { username, email: address } = readBody(known, body, faults);
  if (username !== undefined && (await findTaken(services, { names: [username], except: id }))) {
    throw new ApplicationError("Username already taken");
  }
  if (address !== undefined && (await findTaken(services, { emails: [address], except: id }))) throw emailTaken();
  const attributes = attributesIn(services, members);
  checkMembers(services, caller, attributes);
  return updateUser(services, caller, user, {
    ...attributes,
    ...(address === undefined ? {} : { email: address.toLowerCase() }),
  });
};

/**
 * Deletes the user with this id, after `see` has read the user in the same transaction.
 *
 * @returns the result of `see`; undefined if there is no such user
 */
export const removeUser = async <Seen>(
  services: AccountServices,
  caller: Caller,
  id: number,
  see: (session: Session) => Promise<Seen>,
): Promise<Seen | undefined> => {
  const user = await findUserBy(services, { id });
  if (!user) return undefined;
  let seen: Seen | undefined;
  const removed = await deleteUser(services, caller, user, async (session) => {
    seen = await see(session);
  });
  return removed ? seen : undefined;
};
