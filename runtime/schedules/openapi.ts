/** Describes the lists of scheduled documents for the OpenAPI document. */
import { operation, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { instant, list, orNull, record, ref, shape, text } from "../openapi/json-schema.ts";
import { type Declared, pascal } from "../openapi/names.ts";
import { parameterRef } from "../openapi/queries.ts";
import { scheduleRoutes } from "./routes.ts";

const scheduled = shape({ documentId: text, locale: orNull(text), action: text, at: instant });

const answerOf = (name: string) =>
  shape({
    data: list(ref(name)),
    meta: record({ pagination: ref("Pagination"), schedules: list(scheduled) }, ["schedules"]),
  });

export const describeSchedules = ({ names, contentTypes }: Declared): RouteGroup => ({
  routers: [scheduleRoutes({ contentTypes })],
  descriptions: Object.assign(
    {},
    ...Object.values(contentTypes).map(({ type: { uid, pluralName, localized } }) => {
      const name = names.type(uid);
      const own = ["Fields", "Populate", "Filters"].map((part) => `${name}${part}`);
      const parameters = [...own, ...(localized ? ["locale"] : []), "sort", "pagination"].map(parameterRef);
      return tagged(name, {
        [`GET /schedules/${pluralName}`]: operation(
          `findScheduled${pascal(pluralName)}`,
          "The drafts that will be published or unpublished, and when",
          answerOf(name),
          { parameters },
        ),
      });
    }),
  ),
});
