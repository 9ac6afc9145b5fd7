/** Mutations of users as administrators make them; their queries are those of any content type. */
import { addUser, editUser, removeUser } from "../../accounts/users/user-management.ts";
import { findUserBy, type User, userUid } from "../../accounts/users/user-store.ts";
import { NotFoundError } from "../../base/errors.ts";
import type { MutationFields, ObjectRef } from "../builder.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext } from "../context.ts";
import { show, showLast } from "../operations/reads.ts";
import { inputOf } from "../plugin/members.ts";
import { operation } from "./access.ts";
import { read } from "./read.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** `{ data }` in both formats; what stands in it differs. */
const userResponse = (scope: Scope, name: string): ObjectRef =>
  scope.format === "entity"
    ? entityResponse(scope, name)
    : scope.refs.define(`${name}EntityResponse`, (t) => ({
        data: t.field({ type: scope.refs.object(name), resolve: read }),
      }));

/** The user that an id means: the number of a row, or a documentId. */
const userOf = async ({ services }: GraphqlContext, id: string): Promise<User> => {
  const user = await findUserBy(services, /^\d+$/.test(id) ? { id: Number(id) } : { documentId: id });
  if (!user) throw new NotFoundError("User not found");
  return user;
};

/** Adds them where the application has users. */
export const addUserFields = (scope: Scope): void => {
  if (!scope.catalog.hasType(userUid)) return;
  const declaration = scope.catalog.type(userUid);
  scope.builder.mutationFields((t) => ({
    createUsersPermissionsUser: creation(scope, t, declaration),
    updateUsersPermissionsUser: update(scope, t, declaration),
    deleteUsersPermissionsUser: deletion(scope, t, declaration),
  }));
};

const dataArg = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) =>
  t.arg({ type: inputOf(scope, declaration), required: true });

const creation = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) =>
  t.field({
    type: userResponse(scope, declaration.name),
    nullable: false,
    description: "Create a new user",
    can: `${userUid}.create`,
    extensions: operation({ uid: userUid, action: "create" }),
    args: { data: dataArg(scope, t, declaration) },
    resolve: async (_root, { data }, context, info) => {
      const shown = show(scope, declaration, context, info);
      const { documentId } = await addUser(context.services, context.caller, data);
      context.answer.status = 201;
      return shown(documentId);
    },
  });

const update = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) =>
  t.field({
    type: userResponse(scope, declaration.name),
    nullable: false,
    description: "Update an existing user",
    can: `${userUid}.update`,
    extensions: operation({ uid: userUid, action: "update" }),
    args: { id: t.arg.id({ required: true }), data: dataArg(scope, t, declaration) },
    resolve: async (_root, { id, data }, context, info) => {
      const shown = show(scope, declaration, context, info);
      const user = await userOf(context, String(id));
      await editUser(context.services, context.caller, user.id, data);
      return shown(user.documentId);
    },
  });

const deletion = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) =>
  t.field({
    type: userResponse(scope, declaration.name),
    nullable: false,
    description: "Delete an existing user",
    can: `${userUid}.destroy`,
    extensions: operation({ uid: userUid, action: "delete" }),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      const read = showLast(scope, declaration, context, info);
      const user = await userOf(context, String(id));
      const shown = await removeUser(context.services, context.caller, user.id, (session) =>
        read(user.documentId, session),
      );
      if (!shown) throw new NotFoundError("User not found");
      return shown();
    },
  });
