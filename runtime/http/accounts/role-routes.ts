/** Routes of roles, and of the permissions that they may have. */
import * as roles from "../../accounts/roles/role-management.ts";
import { requestServices } from "../frame/client.ts";
import { can, router } from "../rest/router.ts";

export const roleRoutes = router()
  .get("/users-permissions/roles", can("plugin::users-permissions.role.find"), async (c) =>
    c.json({ roles: await roles.listRoles(requestServices(c)) }),
  )
  .get("/users-permissions/roles/:id", can("plugin::users-permissions.role.findOne"), async (c) =>
    c.json({ role: await roles.showRole(requestServices(c), c.req.param("id")) }),
  )
  .post("/users-permissions/roles", can("plugin::users-permissions.role.createRole"), async (c) => {
    await roles.addRole(c.get("services"), c.get("caller"), c.get("body"));
    return c.json({ ok: true });
  })
  .put("/users-permissions/roles/:role", can("plugin::users-permissions.role.updateRole"), async (c) => {
    await roles.editRole(c.get("services"), c.get("caller"), c.req.param("role"), c.get("body"));
    return c.json({ ok: true });
  })
  .delete("/users-permissions/roles/:role", can("plugin::users-permissions.role.deleteRole"), async (c) => {
    await roles.removeRole(c.get("services"), c.get("caller"), c.req.param("role"));
    return c.json({ ok: true });
  })
  .get("/users-permissions/permissions", can("plugin::users-permissions.permissions.getPermissions"), (c) =>
    c.json({ permissions: roles.actionTree(c.get("services")) }),
  );
