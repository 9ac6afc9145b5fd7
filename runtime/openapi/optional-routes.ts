/** Describes the routes of optional features, as far as the configuration enables them. */
import type { Config } from "../config/config.ts";
import type { RouteGroup } from "./endpoint.ts";
import type { Declared } from "./names.ts";

export type OptionalSettings = "audit" | "events" | "sharing";

/** Loads only what the project uses. */
export const optionalRoutes = async (
  { audit, events, sharing }: Pick<Config, OptionalSettings>,
  declared: Declared,
): Promise<readonly RouteGroup[]> => {
  const schedules = Object.values(declared.contentTypes).some(({ type }) => type.schedule);
  const groups = await Promise.all([
    events && import("./event-routes.ts").then(({ describeEvents }) => describeEvents(events)),
    schedules && import("../schedules/openapi.ts").then(({ describeSchedules }) => describeSchedules(declared)),
    sharing && import("../sharing/openapi.ts").then(({ describeSharing }) => describeSharing(sharing)),
    audit && import("../audit/openapi.ts").then(({ describeAudit }) => describeAudit()),
  ]);
  return groups.filter((group) => typeof group === "object").flat();
};
