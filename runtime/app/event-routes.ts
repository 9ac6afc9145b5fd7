/** Describes the routes of events: webhooks, deliveries, and the stream. */
import type { EventsConfig } from "../config/events.ts";
import { deliveryFilter, deliveryQuery, eventRoutes, newWebhook } from "../events/routes.ts";
import { describeStream } from "../events/stream-openapi.ts";
import { creation, envelope, gone, operation, queryParameters, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { integer, list, orNull, shape, text, truth } from "../openapi/json-schema.ts";

const names = orNull(list(text));
const wanted = { events: names, types: names, locales: names };
const backlog = { isPaused: truth, pending: integer, parked: integer };
const webhook = { name: text, host: text, isDeclared: truth, isSigned: truth, ...wanted, ...backlog };
const created = creation(newWebhook, shape({ ...webhook, secret: text }));
const paused = envelope(shape({ name: text, isPaused: truth }));

const outcome = { status: orNull(integer), error: orNull(text), milliseconds: orNull(integer) };
const tested = envelope(shape({ isDone: truth, ...outcome }));
const attempted = { state: text, attempts: integer, ...outcome, dueAt: text, endedAt: orNull(text) };
const delivery = shape({ consumer: text, id: text, event: text, documentId: text, ...attempted });
const deliveries = shape({ data: list(delivery), meta: shape({ next: orNull(text) }) });
const replayed = envelope(shape({ replayed: integer }));
const ofPage = { parameters: queryParameters(deliveryQuery) };
const ofFilter = { parameters: queryParameters(deliveryFilter) };

const administration = tagged("Events", {
  "GET /events/webhooks": operation(
    "findWebhooks",
    "The webhooks, with their backlogs",
    envelope(list(shape(webhook))),
  ),
  "POST /events/webhooks": operation("createWebhook", "Adds a webhook; only this shows its secret", null, created),
  "DELETE /events/webhooks/:name": operation("deleteWebhook", "Removes a webhook, with its backlog", null, gone),
  "POST /events/webhooks/:name/test": operation("testWebhook", "Sends the event `trigger-test`", tested),
  "POST /events/webhooks/:name/pause": operation("pauseWebhook", "Lets events wait for a webhook", paused),
  "POST /events/webhooks/:name/resume": operation("resumeWebhook", "Sends a webhook what waits for it", paused),
  "GET /events/deliveries": operation("findDeliveries", "A page of deliveries, newest first", deliveries, ofPage),
  "POST /events/deliveries/replay": operation("replayDeliveries", "Sends what has ended again", replayed, ofFilter),
});

/** The groups of the routes that the configuration enables. */
export const describeEvents = (config: EventsConfig): readonly RouteGroup[] => [
  { routers: [eventRoutes(config)], descriptions: administration },
  ...(config.stream ? [describeStream(config.stream)] : []),
];
