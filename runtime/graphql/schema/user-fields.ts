/** Mutations with which administrators manage users and roles; their queries are those of any content type. */
import { addRole, editRole, removeRole } from "../../accounts/roles/role-management.ts";
import { addUser, editUser, removeUser } from "../../accounts/users/user-management.ts";
import { findUserBy, type User, userUid } from "../../accounts/users/user-store.ts";
import { NotFoundError } from "../../base/errors.ts";
import type { MutationFields, ObjectRef } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { Action } from "../extension/shadow-crud.ts";
import type { Operation } from "../operations/operations.ts";
import { show, showLast } from "../operations/reads.ts";
import { inputOf } from "../plugin/members.ts";
import { okPayload } from "./account-fields.ts";
import { operation } from "./guards.ts";
import { read } from "./ready.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** `{ data }` in both formats; the type of `data` differs. */
const userResponse = (scope: Scope, name: string): ObjectRef =>
  scope.format === "entity"
    ? entityResponse(scope, name)
    : scope.refs.define(`${name}EntityResponse`, (t) => ({
        data: t.field({ type: scope.refs.object(name), resolve: read }),
      }));

/** Finds a user by id: the number of a row, or a documentId. */
const userOf = async ({ services }: GraphqlContext, id: string): Promise<User> => {
  const user = await findUserBy(services, /^\d+$/.test(id) ? { id: Number(id) } : { documentId: id });
  if (!user) throw new NotFoundError("User not found");
  return user;
};

/** Adds the mutations if the application has users. */
export const addUserFields = (scope: Scope): void => {
  if (!scope.catalog.hasType(userUid)) return;
  const users = { scope, declaration: scope.catalog.type(userUid) };
  scope.builder.mutationFields((t) => ({
    createUsersPermissionsUser: creation(users, t),
    updateUsersPermissionsUser: update(users, t),
    deleteUsersPermissionsUser: deletion(users, t),
  }));
};

interface Users extends Operation {
  readonly scope: Scope;
}

/** The options that these mutations share. */
const ofUser = ({ scope, declaration }: Users, action: Action, description: string) => ({
  type: userResponse(scope, declaration.name),
  nullable: false as const,
  description,
  can: `${userUid}.${action === "delete" ? "destroy" : action}`,
  extensions: operation({ uid: userUid, action }),
});

const dataArg = ({ scope, declaration }: Users, t: MutationFields) =>
  t.arg({ type: inputOf(scope, declaration), required: true });

const creation = (users: Users, t: MutationFields) =>
  t.field({
    ...ofUser(users, "create", "Create a new user"),
    args: { data: dataArg(users, t) },
    resolve: async (_root, { data }, context, info) => {
      const shown = show({ ...users, context, info });
      const { documentId } = await addUser(context.services, context.caller, data);
      context.answer.status = 201;
      return shown(documentId);
    },
  });

const update = (users: Users, t: MutationFields) =>
  t.field({
    ...ofUser(users, "update", "Update an existing user"),
    args: { id: t.arg.id({ required: true }), data: dataArg(users, t) },
    resolve: async (_root, { id, data }, context, info) => {
      const shown = show({ ...users, context, info });
      const user = await userOf(context, String(id));
      await editUser(context.services, context.caller, user.id, data);
      return shown(user.documentId);
    },
  });

const deletion = (users: Users, t: MutationFields) =>
  t.field({
    ...ofUser(users, "delete", "Delete an existing user"),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      const read = showLast({ ...users, context, info });
      const user = await userOf(context, String(id));
      const shown = await removeUser(context.services, context.caller, user.id, (session) =>
        read(user.documentId, session),
      );
      if (!shown) throw new NotFoundError("User not found");
      return shown();
    },
  });

const ROLE = "plugin::users-permissions.role";

/** The options that these mutations share. */
const ofRole = (scope: Scope, action: Action, description: string) => {
  const name = action.charAt(0).toUpperCase() + action.slice(1);
  return {
    type: okPayload(scope, `UsersPermissions${name}RolePayload`),
    description,
    can: `${ROLE}.${action}Role`,
    extensions: operation({ uid: ROLE, action }),
  };
};

/** Adds the mutations if the application has roles. */
export const addRoleFields = (scope: Scope): void => {
  if (!scope.catalog.hasType(ROLE)) return;
  const data = inputOf(scope, scope.catalog.type(ROLE));
  scope.builder.mutationFields((t) => ({
    createUsersPermissionsRole: t.field({
      ...ofRole(scope, "create", "Create a new role"),
      args: { data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { data }, { services, caller }) => {
        await addRole(services, caller, data);
        return { ok: true };
      },
    }),
    updateUsersPermissionsRole: t.field({
      ...ofRole(scope, "update", "Update an existing role"),
      args: { id: t.arg.id({ required: true }), data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { id, data }, { services, caller }) => {
        await editRole(services, caller, String(id), data);
        return { ok: true };
      },
    }),
    deleteUsersPermissionsRole: t.field({
      ...ofRole(scope, "delete", "Delete an existing role"),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { services, caller }) => {
        await removeRole(services, caller, String(id));
        return { ok: true };
      },
    }),
  }));
};
