/** The route of the audit log, below the REST prefix. */
import { readerFor } from "../database/database.ts";
import { checked } from "../http/rest/checked.ts";
import { can, type Router, router } from "../http/rest/router.ts";
import { auditQuery, listEntries } from "./list.ts";

export const auditRoutes = (): Router =>
  router().get("/audit-log", can("plugin::audit.log.read"), async (c) => {
    const { database, registry } = c.get("services");
    const query = checked(auditQuery, c.req.query());
    return c.json(await listEntries(readerFor(database, c.get("client")), registry, query));
  });
