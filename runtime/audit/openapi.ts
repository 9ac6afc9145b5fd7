/** Describes the route of the audit log for the OpenAPI document. */
import { operation, queryParameters, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { instant, list, orNull, shape, text } from "../openapi/json-schema.ts";
import { auditQuery } from "./list.ts";
import { auditRoutes } from "./routes.ts";

const entry = shape({
  id: text,
  at: instant,
  action: text,
  by: shape({ kind: text, id: orNull(text), name: orNull(text) }),
  subject: orNull(shape({ type: text, id: text, name: orNull(text) })),
  address: orNull(text),
  requestId: orNull(text),
  details: {},
});

export const describeAudit = (): RouteGroup => ({
  routers: [auditRoutes()],
  descriptions: tagged("Audit log", {
    "GET /audit-log": operation(
      "findAuditEntries",
      "A page of the audit log, newest first",
      shape({ data: list(entry), meta: shape({ next: orNull(text) }) }),
      { parameters: queryParameters(auditQuery) },
    ),
  }),
});
