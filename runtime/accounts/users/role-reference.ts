/** Checks roles in the bodies of users. */
import { notOfType } from "../../schema/validation/messages.ts";
import { type BodyReader, membersOf } from "../body-check.ts";

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
export const checkRole = (reader: BodyReader, role: unknown, { changing }: { readonly changing: boolean }): void => {
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
