/** Describes the routes of optional features for the OpenAPI document, as far as the configuration enables them. */
import type { Config } from "../config/config.ts";
import type { DescribeRoutes } from "../openapi/endpoint.ts";

export type FeatureSettings = Pick<Config, "audit" | "events" | "media" | "sharing">;

/** Loads only what the project uses. */
export const featureRoutes =
  ({ audit, events, media, sharing }: FeatureSettings): DescribeRoutes =>
  async (declared) => {
    const schedules = Object.values(declared.contentTypes).some(({ type }) => type.schedule);
    const groups = await Promise.all([
      events && import("./event-routes.ts").then(({ describeEvents }) => describeEvents(events)),
      schedules && import("../schedules/openapi.ts").then(({ describeSchedules }) => describeSchedules(declared)),
      sharing && import("../sharing/openapi.ts").then(({ describeSharing }) => describeSharing(sharing)),
      media.folders && import("../folders/openapi.ts").then(({ describeFolders }) => describeFolders()),
      audit && import("../audit/openapi.ts").then(({ describeAudit }) => describeAudit()),
    ]);
    return groups.filter((group) => typeof group === "object").flat();
  };
