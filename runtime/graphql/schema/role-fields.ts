/** Mutations of roles; their queries are those of any content type. */
import { addRole, editRole, removeRole } from "../../accounts/roles/role-management.ts";
import { requires } from "./access.ts";
import { okPayload } from "./account-types.ts";
import type { Scope } from "./scope.ts";

const ROLE = "plugin::users-permissions.role";

/** Adds what the extension service has not switched off. */
export const addRoleFields = (scope: Scope): void => {
  if (scope.shadow.offers(ROLE, "create")) addCreation(scope);
  if (scope.shadow.offers(ROLE, "update")) addUpdate(scope);
  if (scope.shadow.offers(ROLE, "delete")) addDeletion(scope);
};

const inputOf = (scope: Scope) => {
  const declaration = scope.types.get(ROLE);
  return declaration && scope.make.input(declaration);
};

const addCreation = (scope: Scope): void => {
  const type = inputOf(scope);
  if (!type) return;
  scope.builder.mutationField("createUsersPermissionsRole", (t) =>
    t.field({
      type: okPayload(scope, "UsersPermissionsCreateRolePayload"),
      nullable: true,
      description: "Create a new role",
      extensions: requires(`${ROLE}.createRole`),
      args: { data: t.arg({ type, required: true }) },
      resolve: async (_root, { data }, { services }) => {
        await addRole(services, data);
        return { ok: true };
      },
    }),
  );
};

const addUpdate = (scope: Scope): void => {
  const type = inputOf(scope);
  if (!type) return;
  scope.builder.mutationField("updateUsersPermissionsRole", (t) =>
    t.field({
      type: okPayload(scope, "UsersPermissionsUpdateRolePayload"),
      nullable: true,
      description: "Update an existing role",
      extensions: requires(`${ROLE}.updateRole`),
      args: { id: t.arg.id({ required: true }), data: t.arg({ type, required: true }) },
      resolve: async (_root, { id, data }, { services }) => {
        await editRole(services, String(id), data);
        return { ok: true };
      },
    }),
  );
};

const addDeletion = (scope: Scope): void => {
  if (!scope.types.has(ROLE)) return;
  scope.builder.mutationField("deleteUsersPermissionsRole", (t) =>
    t.field({
      type: okPayload(scope, "UsersPermissionsDeleteRolePayload"),
      nullable: true,
      description: "Delete an existing role",
      extensions: requires(`${ROLE}.deleteRole`),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { services }) => {
        await removeRole(services, String(id));
        return { ok: true };
      },
    }),
  );
};
