/** Writes events and their deliveries in the same transaction as the changes. */
import { createId } from "../base/create-id.ts";
import type { EventName } from "../config/events.ts";
import type { Bound, Statement } from "../database/database.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { hookedDocument } from "../documents/operations/hooks.ts";
import type { Recorder, VersionChange } from "../documents/recorders.ts";
import { wireFile } from "../media/record.ts";
import type { Consumer } from "./consumers.ts";

const NAMES: Readonly<Record<VersionChange["action"], EventName>> = {
  create: "entry.create",
  update: "entry.update",
  publish: "entry.publish",
  unpublish: "entry.unpublish",
  discardDraft: "entry.draft-discard",
  delete: "entry.delete",
};

/** An event before it is stored. */
export interface NewEvent {
  readonly name: EventName;
  readonly uid: string | null;
  readonly documentId: string;
  readonly locale: string | null;
  /** Called only if a consumer or the stream wants the event. */
  entry(): unknown;
}

/**
 * Inserts any number of events, and their deliveries by the events' numbers, in one statement.
 *
 * @param transaction the SQL for the current transaction; databases other than PostgreSQL may not support it
 */
const insertion = (transaction: string): Statement => ({
  text: `with wanted as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
    as listed(id, name, uid, document_id, locale, entry, number)
), stored as (
  insert into event_log (id, name, uid, document_id, locale, created_at, entry, transaction)
  select id, name, uid, document_id, locale, (now() at time zone 'utc')::timestamp(3), entry::json, ${transaction}
  from wanted order by number returning id, position
)
insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
select received.consumer, stored.position, wanted.document_id, 'pending', 0, now() at time zone 'utc'
from unnest($7::text[], $8::int[]) as received(consumer, number)
  join wanted using (number) join stored using (id)`,
  parameters: ["id", "name", "uid", "documentId", "locale", "entry", "consumer", "number"],
});

const DELIVERED = insertion("null");
const STREAMED = insertion("pg_current_xact_id()::text::bigint");

/** Who gets events. */
export interface Audience {
  readonly consumers: () => readonly Consumer[];
  readonly hasStream: boolean;
}

/** The stream has events of files and of the project's own types, but not of users. */
const isStreamed = ({ uid }: NewEvent): boolean => uid === null || uid.startsWith("api::");

/** The statement that stores events with their deliveries; undefined if there are none to store. */
export const recording = (events: readonly NewEvent[], { consumers, hasStream }: Audience): Bound | undefined => {
  const known = consumers();
  const wanted = events
    .map((event) => ({ ...event, names: known.filter((each) => each.wants(event.name, event.uid, event.locale)) }))
    .filter((event) => event.names.length > 0 || (hasStream && isStreamed(event)));
  if (wanted.length === 0) return undefined;
  const listOf = <Item>(itemOf: (event: (typeof wanted)[number]) => Item): Item[] => wanted.map(itemOf);
  return {
    statement: hasStream ? STREAMED : DELIVERED,
    values: {
      id: listOf(() => `evt_${createId()}`),
      name: listOf(({ name }) => name),
      uid: listOf(({ uid }) => uid),
      documentId: listOf(({ documentId }) => documentId),
      locale: listOf(({ locale }) => locale),
      entry: listOf(({ entry }) => JSON.stringify(entry())),
      consumer: listOf(({ names }) => names.map(({ name }) => name)).flat(),
      number: listOf(({ names }) => names).flatMap((names, index) => names.map(() => index + 1)),
    },
  };
};

/** The row id of a version that existed before the change. */
const rowOf = ({ version, before }: VersionChange): { readonly id?: number } => {
  const id = version.id ?? before?.id;
  return id === undefined ? {} : { id };
};

/** Milliseconds within which a transaction usually commits after recording an event; polling finds later ones. */
const UNDER_WAY = 60_000;

/** Records changes of documents. Calls `wake` after commits that may have added deliveries. */
export const createRecorder = (
  services: Pick<OperationServices, "queries">,
  audience: Audience,
  wake: () => void,
): Recorder => {
  let recordedAt = -UNDER_WAY;
  const recorded = (events: readonly NewEvent[]): readonly Bound[] => {
    const statement = recording(events, audience);
    if (!statement) return [];
    recordedAt = performance.now();
    return [statement];
  };
  return {
    recordFile: ({ action, file }) =>
      recorded([
        { name: `media.${action}`, uid: null, documentId: file.documentId, locale: null, entry: () => wireFile(file) },
      ]),
    record(changes) {
      const after = recorded(
        changes.map((change): NewEvent => {
          const { action, type, version } = change;
          const entry = () => ({ ...rowOf(change), ...hookedDocument(services, type, version) });
          return { name: NAMES[action], uid: type.uid, documentId: version.documentId, locale: version.locale, entry };
        }),
      );
      return { after };
    },
    committed() {
      if (performance.now() - recordedAt < UNDER_WAY) wake();
    },
  };
};
