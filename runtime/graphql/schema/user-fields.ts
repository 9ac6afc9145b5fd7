/** Mutations of users as administrators make them; their queries are those of any content type. */
import { addUser, editUser, removeUser } from "../../accounts/users/user-management.ts";
import { findUserByDocumentId, findUserById, type User } from "../../accounts/users/user-store.ts";
import { userUid } from "../../accounts/users/user-table.ts";
import { NotFoundError } from "../../base/errors.ts";
import type { ObjectRef } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { TypeDeclaration } from "../declaration.ts";
import type { Action } from "../extension/shadow-crud.ts";
import type { Operations } from "../operations/operations.ts";
import { requires } from "./access.ts";
import { subjectOf } from "./names.ts";
import { read } from "./read.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** `{ data }` in both formats; what stands in it differs. */
const userResponse = (scope: Scope, declaration: TypeDeclaration): ObjectRef =>
  scope.format === "entity"
    ? entityResponse(scope, subjectOf(scope, declaration))
    : scope.refs.implementedObject(`${declaration.name}EntityResponse`, (ref) =>
        ref.implement({
          fields: (t) => ({
            data: t.field({ type: scope.make.object(declaration), nullable: true, resolve: read }),
          }),
        }),
      );

/** The user that an id means: the number of a row, or a documentId. */
const userOf = async ({ services: { database, registry } }: GraphqlContext, id: string): Promise<User> => {
  const user = /^\d+$/.test(id)
    ? await findUserById(database, registry, Number(id))
    : await findUserByDocumentId(database, registry, id);
  if (!user) throw new NotFoundError("User not found");
  return user;
};

/** Adds what the extension service has not switched off. */
export const addUserFields = (scope: Scope, { show }: Operations): void => {
  const declaration = scope.types.get(userUid);
  if (!declaration) return;
  const offers = (action: Action): boolean => scope.shadow.offers(userUid, action);
  if (offers("create")) addCreation(scope, declaration, show);
  if (offers("update")) addUpdate(scope, declaration, show);
  if (offers("delete")) addDeletion(scope, declaration, show);
};

const addCreation = (scope: Scope, declaration: TypeDeclaration, show: Operations["show"]): void =>
  scope.builder.mutationField("createUsersPermissionsUser", (t) =>
    t.field({
      type: userResponse(scope, declaration),
      description: "Create a new user",
      extensions: requires(`${userUid}.create`),
      args: { data: t.arg({ type: scope.make.input(declaration), required: true }) },
      resolve: async (_root, { data }, context, info) => {
        const { documentId } = await addUser(context.services, context.caller, data);
        context.answer.status = 201;
        return show(declaration, documentId, context, info);
      },
    }),
  );

const addUpdate = (scope: Scope, declaration: TypeDeclaration, show: Operations["show"]): void =>
  scope.builder.mutationField("updateUsersPermissionsUser", (t) =>
    t.field({
      type: userResponse(scope, declaration),
      description: "Update an existing user",
      extensions: requires(`${userUid}.update`),
      args: {
        id: t.arg.id({ required: true }),
        data: t.arg({ type: scope.make.input(declaration), required: true }),
      },
      resolve: async (_root, { id, data }, context, info) => {
        const user = await userOf(context, String(id));
        await editUser(context.services, context.caller, user.id, data);
        return show(declaration, user.documentId, context, info);
      },
    }),
  );

const addDeletion = (scope: Scope, declaration: TypeDeclaration, show: Operations["show"]): void =>
  scope.builder.mutationField("deleteUsersPermissionsUser", (t) =>
    t.field({
      type: userResponse(scope, declaration),
      description: "Delete an existing user",
      extensions: requires(`${userUid}.destroy`),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, context, info) => {
        const user = await userOf(context, String(id));
        const shown = await show(declaration, user.documentId, context, info);
        await removeUser(context.services, user.id);
        return shown;
      },
    }),
  );
