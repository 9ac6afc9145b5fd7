/** Writes events and their deliveries in the transaction of the changes. */
import { createId } from "../base/create-id.ts";
import type { EventName } from "../config/events.ts";
import type { Bound, Statement } from "../database/statement.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { hookedDocument } from "../documents/operations/hooks.ts";
import { now } from "../documents/plan/plan.ts";
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
  /** Called only if somebody wants the event. */
  entry(): unknown;
}

/**
 * Events, and who gets which of them by their number: one statement, however many there are.
 *
 * @param transaction the SQL for their transaction, which databases other than PostgreSQL may not know
 */
const insertion = (transaction: string): Statement => ({
  text: `with wanted as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
    as listed(id, name, uid, document_id, locale, entry, number)
), stored as (
  insert into event_log (id, name, uid, document_id, locale, created_at, entry, transaction)
  select id, name, uid, document_id, locale, $7::timestamp(3), entry::json, ${transaction}
  from wanted order by number returning id, position
)
insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
select received.consumer, stored.position, wanted.document_id, 'pending', 0, now() at time zone 'utc'
from unnest($8::text[], $9::int[]) as received(consumer, number)
  join wanted using (number) join stored using (id)`,
  parameters: ["id", "name", "uid", "documentId", "locale", "entry", "createdAt", "consumer", "number"],
});

const DELIVERED = insertion("null");
const STREAMED = insertion("pg_current_xact_id()::text::bigint");

/** Who gets events. */
export interface Audience {
  readonly consumers: () => readonly Consumer[];
  readonly hasStream: boolean;
}

/** Users are shown to nobody who does not ask for them by their type. */
const isStreamed = ({ uid }: NewEvent): boolean => uid === null || uid.startsWith("api::");

/** The statement that stores events with their deliveries; undefined if nobody wants any. */
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
      createdAt: now(),
      consumer: listOf(({ names }) => names.map(({ name }) => name)).flat(),
      number: listOf(({ names }) => names).flatMap((names, index) => names.map(() => index + 1)),
    },
  };
};

/** The row id of a version that was there before. */
const rowOf = ({ version, before }: VersionChange): { readonly id?: number } => {
  const id = version.id ?? before?.id;
  return id === undefined ? {} : { id };
};

/** Milliseconds after an event was recorded in which its transaction commits; a longer one is found by polling. */
const UNDER_WAY = 60_000;

/** Records changes of documents. `wake` is called after commits that may have left something to deliver. */
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
