/** Mutations of roles; their queries are those of any content type. */
import { addRole, editRole, removeRole } from "../../accounts/roles/role-management.ts";
import type { Action } from "../extension/shadow-crud.ts";
import { inputOf } from "../plugin/members.ts";
import { okPayload } from "./account-fields.ts";
import { operation } from "./guards.ts";
import type { Scope } from "./scope.ts";

const ROLE = "plugin::users-permissions.role";

/** The options that these mutations share. */
const common = (scope: Scope, action: Action, description: string) => {
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
      ...common(scope, "create", "Create a new role"),
      args: { data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { data }, { services, caller }) => {
        await addRole(services, caller, data);
        return { ok: true };
      },
    }),
    updateUsersPermissionsRole: t.field({
      ...common(scope, "update", "Update an existing role"),
      args: { id: t.arg.id({ required: true }), data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { id, data }, { services, caller }) => {
        await editRole(services, caller, String(id), data);
        return { ok: true };
      },
    }),
    deleteUsersPermissionsRole: t.field({
      ...common(scope, "delete", "Delete an existing role"),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { services, caller }) => {
        await removeRole(services, caller, String(id));
        return { ok: true };
      },
    }),
  }));
};
