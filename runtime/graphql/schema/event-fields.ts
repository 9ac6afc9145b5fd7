/** The subscription to committed changes, if the configuration enables the event stream. */
import { Readable } from "node:stream";
import { ForbiddenError, ServiceUnavailableError, ValidationError } from "../../base/errors.ts";
import { EVENT_NAMES } from "../../config/events.ts";
import type { EventStream, Wanted } from "../../documents/event-stream.ts";
import type { GraphqlContext, Node } from "../context.ts";
import { read } from "./ready.ts";
import type { Scope } from "./scope.ts";

/** Most events that may wait for a client that does not read. */
const BACKLOG = 1000;

const nothing = (): void => {};

/** Tells a client that it has missed events that are no longer known. */
const RESET = {};

/** Where a listener starts, and which events it wants. */
interface Asked {
  readonly wanted: Wanted;
  readonly after: string | undefined;
}

/** The events for a client, until it disconnects. */
const eventsFor = (stream: EventStream, { services, http, caller }: GraphqlContext, { wanted, after }: Asked) => {
  if (!caller.can(stream.action)) throw new ForbiddenError("Forbidden access");
  let makeRoom = nothing;
  const told = new Readable({ objectMode: true, highWaterMark: 1, read: () => makeRoom() });
  const hasRoom = async (): Promise<void> => {
    while (told.readableLength > BACKLOG / 2) await new Promise<void>((done) => (makeRoom = done));
  };
  const push = (event: object): void => {
    if (told.readableLength < BACKLOG) told.push(event);
    else told.destroy();
  };
  const leave = stream.listen(
    {
      wanted,
      caller: () => services.auth.authenticate(http.headers.get("authorization") ?? undefined),
      push,
      reset: () => push(RESET),
      hasRoom,
      end: () => void told.push(null),
    },
    after,
  );
  told.once("close", () => {
    leave();
    makeRoom();
  });
  return told;
};

const eventOf = (event: Node): Node => {
  if (event === RESET) throw new ValidationError("What has happened since that event is not known any more");
  return event;
};

const streamOf = ({ services: { features } }: GraphqlContext): EventStream => {
  const stream = features.find((feature) => feature.stream)?.stream;
  if (!stream) throw new ServiceUnavailableError("There is no stream of events");
  return stream;
};

const eventName = (scope: Scope) =>
  scope.refs.once("ContentEventName", () =>
    scope.builder.enumType("ContentEventName", {
      values: Object.fromEntries(EVENT_NAMES.map((event) => [event.replace(/[.-]/g, "_"), { value: event }])),
    }),
  );

const contentEvent = (scope: Scope) =>
  scope.refs.define("ContentEvent", (t) => ({
    id: t.id({ nullable: false, resolve: read }),
    event: t.field({ type: eventName(scope), nullable: false, resolve: read }),
    createdAt: t.field({ type: "DateTime", nullable: false, resolve: read }),
    uid: t.string({ resolve: read }),
    model: t.string({ nullable: false, resolve: read }),
    documentId: t.id({ nullable: false, resolve: read }),
    locale: t.string({ resolve: read }),
    status: t.string({ resolve: read }),
    entry: t.field({ type: "JSON", resolve: read }),
  }));

export const addEventFields = (scope: Scope): void => {
  scope.builder.subscriptionType({});
  scope.builder.subscriptionField("contentEvents", (t) =>
    t.field({
      type: contentEvent(scope),
      nullable: false,
      args: {
        events: t.arg({ type: [eventName(scope)] }),
        types: t.arg.stringList(),
        locales: t.arg.stringList(),
        documentId: t.arg.string(),
        after: t.arg.string(),
      },
      subscribe: (_root, { after, ...wanted }, context) =>
        eventsFor(streamOf(context), context, { wanted, after: after ?? undefined }),
      resolve: eventOf,
    }),
  );
};
