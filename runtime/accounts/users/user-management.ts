import type { Caller } from "../../access/caller.ts";
import { isListed } from "../../access/field-lists.ts";
import { ApplicationError, invalidKey, NotFoundError, ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
/** Management of users by administrators. */
import { notOfType } from "../../schema/validation/messages.ts";
import { BodyReader, membersOf } from "../body-check.ts";
import type { AccountServices } from "../services.ts";
import { checkPassword } from "./new-password.ts";
import { findTaken, findUserBy, type User, userUid } from "./user-store.ts";
import { checkUserKeys, createUser, deleteUser, updateUser } from "./user-writes.ts";

const isId = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value) && value >= 0);

/** Checks a list of `{ id }`; `name` is its path. */
const checkList = (reader: BodyReader, name: string, value: unknown): void => {
  if (value === undefined) reader.refuse(name, "is a required field");
  else if (!Array.isArray(value)) reader.refuseAs(name, notOfType("array", [name], value));
};

/**
 * Adds the faults of `role`, which is an id, or an object with the lists `connect` and, for changing a user,
 * `disconnect`.
 */
const checkRole = (reader: BodyReader, role: unknown, { changing }: { readonly changing: boolean }): void => {
  if (role === undefined) return;
  if (typeof role !== "object") {
    if (!isId(role)) reader.refuseAs("role", notOfType("strapiID", ["role"], role));
    return;
  }
  if (role === null || Array.isArray(role)) {
    reader.refuseAs("role", notOfType("object", ["role"], role));
    return;
  }
  const { connect, disconnect } = membersOf(role);
  checkList(reader, "role.connect", connect);
  if (changing) checkList(reader, "role.disconnect", disconnect);
  if (!Array.isArray(connect) || connect.length > 0) return;
  if (!changing) reader.refuseAs("role.connect", "Users must have a role");
  else if (Array.isArray(disconnect) && disconnect.length > 0) reader.refuseAs("role.disconnect", "Cannot remove role");
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
  if (role !== undefined && !isListed(caller.fields, userUid, "role")) {
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
  const reader = new BodyReader(body);
  const email = reader.email("email").toLowerCase();
  const username = reader.filledText("username");
  await checkPassword(reader, auth.passwords, reader.filledText("password"));
  checkRole(reader, reader.required("role"), { changing: false });
  reader.done();
  if (await findTaken(services, { names: [username] })) throw nameNotUnique();
  if (await findTaken(services, { emails: [email] })) throw emailTaken();
  const attributes = attributesIn(services, membersOf(body));
  checkMembers(services, caller, attributes);
  try {
    return await createUser(services, caller, { ...attributes, provider: "local", email }, emailTaken);
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
  const reader = new BodyReader(body);
  const email = reader.changedEmail("email")?.toLowerCase();
  const username = reader.changedText("username");
  const password = reader.changedText("password");
  await checkPassword(reader, auth.passwords, password);
  checkRole(reader, members.role, { changing: true });
  reader.done();
  if (username !== undefined && (await findTaken(services, { names: [username], except: id }))) {
    throw new ApplicationError("Username already taken");
  }
  if (email !== undefined && (await findTaken(services, { emails: [email], except: id }))) throw emailTaken();
  const attributes = attributesIn(services, members);
  checkMembers(services, caller, attributes);
  return updateUser(services, caller, user, { ...attributes, ...(email === undefined ? {} : { email }) });
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
