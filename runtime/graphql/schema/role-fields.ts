/** Mutations of roles; their queries are those of any content type. */
import { addRole, editRole, removeRole } from "../../accounts/roles/role-management.ts";
import { inputOf } from "../plugin/members.ts";
import { operation } from "./access.ts";
import { okPayload } from "./account-types.ts";
import type { Scope } from "./scope.ts";

const ROLE = "plugin::users-permissions.role";

/** Adds them where the application has roles. */
export const addRoleFields = (scope: Scope): void => {
  if (!scope.catalog.hasType(ROLE)) return;
  const data = inputOf(scope, scope.catalog.type(ROLE));
  scope.builder.mutationFields((t) => ({
    createUsersPermissionsRole: t.field({
      type: okPayload(scope, "UsersPermissionsCreateRolePayload"),
      description: "Create a new role",
      can: `${ROLE}.createRole`,
      extensions: operation({ uid: ROLE, action: "create" }),
      args: { data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { data }, { services, caller }) => {
        await addRole(services, caller, data);
        return { ok: true };
      },
    }),
    updateUsersPermissionsRole: t.field({
      type: okPayload(scope, "UsersPermissionsUpdateRolePayload"),
      description: "Update an existing role",
      can: `${ROLE}.updateRole`,
      extensions: operation({ uid: ROLE, action: "update" }),
      args: { id: t.arg.id({ required: true }), data: t.arg({ type: data, required: true }) },
      resolve: async (_root, { id, data }, { services, caller }) => {
        await editRole(services, caller, String(id), data);
        return { ok: true };
      },
    }),
    deleteUsersPermissionsRole: t.field({
      type: okPayload(scope, "UsersPermissionsDeleteRolePayload"),
      description: "Delete an existing role",
      can: `${ROLE}.deleteRole`,
      extensions: operation({ uid: ROLE, action: "delete" }),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { services, caller }) => {
        await removeRole(services, caller, String(id));
        return { ok: true };
      },
    }),
  }));
};
