/** The types that `cms add` can add to. */
import path from "node:path";
import { didYouMean } from "../../../runtime/base/did-you-mean.ts";
import { usersPermissions } from "../../builtin/users-permissions.ts";
import { parseUid } from "../../model/names.ts";
import { findSchemaFiles, folderOfType, uidOf } from "../../schema/find.ts";
import { CommandError } from "../exit-codes.ts";

/** By its own name, or by plugin and name, as in `users-permissions/user`. */
const nameOf = (uid: string): string => {
  const { plugin, owner, name } = parseUid(uid);
  return plugin ? `${owner}/${name}` : name;
};

/**
 * Finds a type by its name.
 *
 * @param from the folder of the schema files, absolute
 * @returns its uid, the absolute folder of its files, and its schema file, which a built-in type may lack
 * @throws CommandError if there is none
 */
export const findType = (root: string, from: string, name: string) => {
  const found = findSchemaFiles(from).filter((file) => file.kind === "contentType");
  const own = found.find((file) => nameOf(uidOf(file)) === name);
  if (own) return { uid: uidOf(own), folder: path.dirname(own.path), schema: own.path };
  const builtIn = usersPermissions.find(({ uid }) => nameOf(uid) === name);
  if (builtIn) {
    const { owner, name: folder } = parseUid(builtIn.uid);
    return { uid: builtIn.uid, folder: folderOfType(from, folder, owner), schema: undefined };
  }
  const hint = didYouMean(name, [...found.map(uidOf), ...usersPermissions.map(({ uid }) => uid)].map(nameOf));
  throw new CommandError(`there is no type "${name}" in ${path.relative(root, from)}.${hint}`);
};
