/** Shows callers an event: exactly what a request of theirs could read now. */
import type { Caller } from "../access/caller.ts";
import { mayReadDrafts } from "../access/drafts.ts";
import { HttpError, ServiceUnavailableError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import type { ShownEvent } from "../documents/event-stream.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { limited, limitsOf, shown } from "../documents/read-hooks.ts";
import { objectOf, readOne } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import { GONE } from "./body.ts";

const READ_FILES = "plugin::upload.content-api.find";

const statusOf = ({ draftAndPublish }: ContentType, { publishedAt }: CommittedEvent["entry"]): ShownEvent["status"] => {
  if (!draftAndPublish) return null;
  return publishedAt === null ? "draft" : "published";
};

const basic = ({ createdAt, entry: _entry, ...event }: CommittedEvent) => ({
  ...event,
  createdAt: createdAt.toISOString(),
});

const fileEvent = (caller: Caller, event: CommittedEvent): ShownEvent | undefined =>
  caller.can(READ_FILES) ? { ...basic(event), model: "file", status: null, entry: event.entry } : undefined;

/** The version as the caller may read it; undefined if the caller may not, or if the version no longer exists. */
const entryOf = async (services: OperationServices, caller: Caller, type: ContentType, event: ShownEvent) => {
  const context = { services, caller };
  const query = { status: event.status ?? undefined, locale: event.locale ?? undefined };
  const found = await readOne(context, type, event.documentId, limited(query, await limitsOf(context, type)));
  return found ? objectOf(await shown(context, found)) : undefined;
};

/** Whether a hook or a rule of the caller's role restricts the caller to some documents of a type. */
const isLimited = ({ readHooks }: OperationServices, { rows }: Caller, { uid }: ContentType): boolean =>
  readHooks?.before.has(uid) === true || [...(rows?.filters.keys() ?? [])].some((each) => each.startsWith(`${uid}.`));

/** Hides deletions from restricted callers, since nothing shows any more whether they could see the document. */
const documentEvent = async (
  services: OperationServices,
  caller: Caller,
  type: ContentType,
  event: CommittedEvent,
): Promise<ShownEvent | undefined> => {
  const status = statusOf(type, event.entry);
  if (!caller.can(`${type.uid}.find`)) return undefined;
  if (status === "draft" && !mayReadDrafts(services.config, caller, type.uid)) return undefined;
  const about = { ...basic(event), model: type.singularName, status, entry: null };
  if (GONE.has(event.event)) return isLimited(services, caller, type) ? undefined : about;
  const entry = await entryOf(services, caller, type, about);
  return entry && { ...about, entry };
};

/**
 * Hides the event if a hook or the query refuses the read, as a request would. Code that fails for one caller must not
 * delay the events of others, so only reads that can succeed later are retried.
 */
const unlessRefused = async <Result>(log: Logger, work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceUnavailableError) throw error;
    const isRefusal = error instanceof HttpError && error.status < 500;
    if (!isRefusal) log.error({ err: error }, "an event could not be read for a listener");
    return undefined;
  }
};

/** The value of a key, created if it is missing. */
const at = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
};

/** Shows one event to any number of callers. Callers with the same rights share one read. */
export const viewOf = (
  services: OperationServices,
  event: CommittedEvent,
): ((caller: Caller) => Promise<ShownEvent | undefined>) => {
  const { registry } = services;
  const type =
    event.uid !== null && registry.has(event.uid) && event.uid.startsWith("api::")
      ? registry.contentType(event.uid)
      : undefined;
  const read = (caller: Caller) =>
    event.uid === null
      ? Promise.resolve(fileEvent(caller, event))
      : unlessRefused(services.log, async () => type && documentEvent(services, caller, type, event));
  const byHooks = type !== undefined && services.readHooks?.concerned.has(type.uid) === true;
  const views = new Map<unknown, Map<unknown, Map<unknown, ReturnType<typeof read>>>>();
  return (caller) => {
    const byFields = at(views, byHooks ? caller : caller.can, () => new Map());
    const byRows = at(byFields, caller.fields, () => new Map<unknown, ReturnType<typeof read>>());
    return at(byRows, caller.rows?.key, () => read(caller));
  };
};
