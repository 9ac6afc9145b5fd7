/** Describes the stream for the OpenAPI document. */
import type { StreamConfig } from "../config/events.ts";
import { can, router } from "../http/rest/router.ts";
import { operation, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { text } from "../openapi/json-schema.ts";
import { inQuery } from "../openapi/queries.ts";
import { ACTION } from "./stream.ts";

const lastEvent = { name: "Last-Event-ID", in: "header", schema: text };
const lists = ["events", "types", "locales"].map((name) => inQuery(name, text, "Names, separated by commas."));
const listening = { media: "text/event-stream", parameters: [...lists, inQuery("documentId", text), lastEvent] };

export const describeStream = ({ path }: StreamConfig): RouteGroup => ({
  routers: [router().get(path, can(ACTION))],
  descriptions: tagged("Events", {
    [`GET ${path}`]: operation("listen", "Committed changes as server-sent events with JSON", text, listening),
  }),
});
