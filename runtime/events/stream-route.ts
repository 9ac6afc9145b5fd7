/** The stream as server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
import type { Context } from "hono";
import { didYouMean } from "../base/did-you-mean.ts";
import { ValidationError } from "../base/errors.ts";
import { EVENT_NAMES, isEventName, type StreamConfig } from "../config/events.ts";
import { type EventStream, type Format, HEADERS, type ShownEvent, type Wanted } from "../documents/event-stream.ts";
import type { AppEnv } from "../http/context.ts";
import { can, type Router, router } from "../http/rest/router.ts";
import { fileType } from "../schema/file-type.ts";
import type { Registry } from "../schema/registry.ts";

/** Milliseconds until a client reconnects, with jitter, so that not all clients of a stopped server come at once. */
const pause = (): number => Math.round(1000 + Math.random() * 4000);

const encoder = new TextEncoder();

/** Listeners with the same rights get the same object, which is serialized only once. */
const written = new WeakMap<ShownEvent, Uint8Array>();

const bytesOf = (shown: ShownEvent): Uint8Array => {
  const bytes =
    written.get(shown) ?? encoder.encode(`id: ${shown.id}\nevent: ${shown.event}\ndata: ${JSON.stringify(shown)}\n\n`);
  written.set(shown, bytes);
  return bytes;
};

const FORMAT: Format<Uint8Array> = {
  event: bytesOf,
  reset: encoder.encode("event: reset\ndata: {}\n\n"),
  beat: encoder.encode(":\n\n"),
  size: ({ byteLength }) => byteLength,
};

const listOf = (text: string | undefined): readonly string[] | undefined => text?.split(",");

const demandKnown = (what: string, names: readonly string[] = [], known: readonly string[] = []): void => {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ValidationError(`${what}: there is no "${unknown}".${didYouMean(unknown, known)}`);
  }
};

/** @throws ValidationError for unknown events and types */
export const wantedOf = (
  { events, types, locales, documentId }: Readonly<Record<string, string | undefined>>,
  { contentTypes }: Registry,
): Wanted => {
  demandKnown("events", listOf(events), EVENT_NAMES);
  demandKnown("types", listOf(types), [...Object.keys(contentTypes), fileType.uid]);
  return { events: listOf(events)?.filter(isEventName), types: listOf(types), locales: listOf(locales), documentId };
};

const listenTo = (stream: EventStream) => async (c: Context<AppEnv>) => {
  const { auth, registry, log } = c.get("services");
  const authorization = c.req.header("authorization");
  const wanted = wantedOf(c.req.query(), registry);
  // Nobody would read the stream that answers a HEAD request, or end it.
  if (c.req.method === "HEAD") return c.body(null, 200, HEADERS);
  const asked = {
    wanted,
    caller: () => auth.authenticate(authorization),
    after: c.req.header("last-event-id") || undefined,
    cut() {
      log.info("a listener that does not read what it is sent was cut off");
      c.env.incoming?.socket.destroy();
    },
  };
  const start = encoder.encode(`retry: ${pause()}\n\n`);
  return c.body(await stream.open(asked, { ...FORMAT, start }), 200, HEADERS);
};

export const streamRoutes = (stream: EventStream, { path }: StreamConfig): Router =>
  router().get(path, can(stream.action), listenTo(stream));
