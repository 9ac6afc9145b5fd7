/** `/users-permissions/...`: roles and what they may do. */
import type { MiddlewareHandler } from "hono";
import {
  actionTree,
  addRole,
  editRole,
  listRoles,
  removeRole,
  showRole,
} from "../../accounts/roles/role-management.ts";
import type { AppEnv } from "../context.ts";
import { requestServices } from "../frame/client.ts";
import { can } from "../rest/can.ts";
import { router } from "../rest/router.ts";

const action = (name: string): MiddlewareHandler<AppEnv> => can(`plugin::users-permissions.role.${name}`);

export const roleRoutes = router()
  .get("/users-permissions/roles", action("find"), async (c) => c.json({ roles: await listRoles(requestServices(c)) }))
  .get("/users-permissions/roles/:id", action("findOne"), async (c) =>
    c.json({ role: await showRole(requestServices(c), c.req.param("id")) }),
  )
  .post("/users-permissions/roles", action("createRole"), async (c) => {
    await addRole(c.get("services"), c.get("caller"), c.get("body"));
    return c.json({ ok: true });
  })
  .put("/users-permissions/roles/:role", action("updateRole"), async (c) => {
    await editRole(c.get("services"), c.get("caller"), c.req.param("role"), c.get("body"));
    return c.json({ ok: true });
  })
  .delete("/users-permissions/roles/:role", action("deleteRole"), async (c) => {
    await removeRole(c.get("services"), c.get("caller"), c.req.param("role"));
    return c.json({ ok: true });
  })
  .get("/users-permissions/permissions", can("plugin::users-permissions.permissions.getPermissions"), (c) =>
    c.json({ permissions: actionTree(c.get("services")) }),
  );
