/** The subscription to committed changes, if the configuration enables the event stream. */
import { AbandonedError, ForbiddenError, ServiceUnavailableError, ValidationError } from "../../base/errors.ts";
import { EVENT_NAMES } from "../../config/events.ts";
import type { Asked, EventStream, Format, ShownEvent } from "../../documents/event-stream.ts";
import type { GraphqlContext, Node } from "../context.ts";
import { read } from "./ready.ts";
import type { Scope } from "./scope.ts";

/** Tells a client that it has missed events that are no longer known. */
const RESET = {};

const sizes = new WeakMap<object, number>();

const sizeOf = (event: object): number => {
  const size = sizes.get(event) ?? JSON.stringify(event).length;
  sizes.set(event, size);
  return size;
};

const FORMAT: Format<Node> = { event: (shown: Readonly<ShownEvent>) => shown, reset: RESET, size: sizeOf };

/** The events for a client, until it disconnects. */
const eventsFor = async (
  stream: EventStream,
  { services, http, caller }: GraphqlContext,
  about: Pick<Asked, "wanted" | "after">,
) => {
  if (!caller.can(stream.action)) throw new ForbiddenError("Forbidden access");
  const authorization = http.headers.get("authorization") ?? undefined;
  const asked = { ...about, caller: () => services.auth.authenticate(authorization) };
  return iteratorOf((await stream.open(asked, FORMAT)).getReader());
};

/** Unlike the iterator of a stream, its `return` does not wait for the next event, which may never come. */
const iteratorOf = (reader: ReadableStreamDefaultReader<Node>): AsyncIterableIterator<Node> => ({
  next: async () => {
    const { done, value } = await reader.read();
    if (done) throw new AbandonedError();
    return { value };
  },
  return: async () => ({ done: true, value: await reader.cancel() }),
  [Symbol.asyncIterator]() {
    return this;
  },
});

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
