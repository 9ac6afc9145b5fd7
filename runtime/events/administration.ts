/** Administration of webhooks and deliveries, by command and by REST. */
import { randomBytes } from "node:crypto";
import type { Caller } from "../access/caller.ts";
import type { EventsConfig, WebhookConfig } from "../config/events.ts";
import { type Database, notify, numberOf, type Reader, type Row, type Session } from "../database/database.ts";
import type { Act } from "../documents/acts.ts";
import { type Recorder, recordedChange } from "../documents/recorders.ts";
import { loadWebhooks } from "./consumers.ts";
import { createSender, type Outcome } from "./send.ts";

/** Notifies all processes that webhooks were added, removed or paused. */
export const WEBHOOKS_CHANNEL = "galley_webhooks";
/** Wakes the deliverers of all processes. */
export const EVENTS_CHANNEL = "galley_events";

/** A new secret for signatures. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/** Where webhooks are changed, who records that, and on whose behalf. */
export interface Acting {
  readonly database: Database;
  readonly recorders: readonly Recorder[];
  readonly by: Caller;
}

/** Changes webhooks in a transaction that also records the change, and notifies all processes. */
const change = async (
  { by, ...recording }: Acting,
  action: Act["action"],
  name: string,
  work: (session: Session) => Promise<readonly Row[]>,
): Promise<boolean> => {
  const act: Act = { action, subject: { type: "webhook", id: name, name } };
  const isDone = await recordedChange(recording, act, by, async (session) => (await work(session)).length > 0);
  await notify(recording.database, WEBHOOKS_CHANNEL);
  return isDone;
};

/** Adds a webhook. Returns whether its name was free; a name that was only paused is. */
export const addWebhook = (acting: Acting, webhook: WebhookConfig): Promise<boolean> =>
  change(acting, "webhook.create", webhook.name, (session) =>
    session.rows(
      `insert into event_webhooks (name, settings, paused) values ($1, $2::json, false)
        on conflict (name) do update set settings = excluded.settings, paused = false
          where event_webhooks.settings is null returning name`,
      [webhook.name, JSON.stringify(webhook)],
    ),
  );

/** Removes a webhook that was added, with its backlog. Returns whether there was one. */
export const removeWebhook = (acting: Acting, name: string): Promise<boolean> =>
  change(acting, "webhook.delete", name, async (session) => {
    const removed = await session.rows("delete from event_webhooks where name = $1 returning name", [name]);
    if (removed.length > 0) await session.rows("delete from event_deliveries where consumer = $1", [name]);
    return removed;
  });

/** Pauses or resumes a webhook. Events in between are delivered later. */
export const pauseWebhook = (acting: Acting, name: string, paused: boolean): Promise<boolean> =>
  change(acting, paused ? "webhook.pause" : "webhook.resume", name, (session) =>
    session.rows(
      `insert into event_webhooks (name, settings, paused) values ($1, null, $2)
        on conflict (name) do update set paused = excluded.paused returning name`,
      [name, paused],
    ),
  );

/** What lists show of a webhook: nothing that may be secret, as the path of its URL may. */
const shownWebhook = ({ webhooks }: EventsConfig, { url, secret, events, types, locales, name }: WebhookConfig) => ({
  name,
  host: new URL(url).host,
  isDeclared: webhooks.some((each) => each.name === name),
  isSigned: secret !== undefined,
  events: events ?? null,
  types: types ?? null,
  locales: locales ?? null,
});

/** The webhooks, each with the size of its backlog. */
export const listWebhooks = async (database: Reader, config: EventsConfig) => {
  const counts = await database.rows(
    `select consumer, count(*) filter (where state = 'pending'), count(*) filter (where state = 'parked')
      from event_deliveries group by consumer`,
  );
  const found = new Map(counts.map(([name, pending, parked]) => [name, { pending, parked }]));
  return (await loadWebhooks(database, config)).map(({ name, isPaused, webhook }) => {
    const { pending = 0, parked = 0 } = found.get(name) ?? {};
    return { ...shownWebhook(config, webhook), isPaused, pending: Number(pending), parked: Number(parked) };
  });
};

/** Sends the event `trigger-test` now. Undefined if there is no such webhook. */
export const testWebhook = async (
  database: Database,
  config: EventsConfig,
  name: string,
): Promise<(Outcome & { readonly milliseconds: number }) | undefined> => {
  const consumer = (await loadWebhooks(database, config)).find((each) => each.name === name);
  if (!consumer) return undefined;
  const sender = createSender(config);
  const event = "trigger-test";
  const [[time] = []] = await database.rows("select extract(epoch from now())::float8 * 1000");
  const now = (): number => numberOf(time);
  const body = JSON.stringify({ event, createdAt: new Date(now()) });
  const id = `evt_test_${randomBytes(8).toString("hex")}`;
  const begun = performance.now();
  const outcome = await sender.send(consumer.webhook, { id, event, body, now }).finally(() => sender.close());
  return { ...outcome, milliseconds: Math.round(performance.now() - begun) };
};

/** Which deliveries to list or to send again. */
export interface DeliveryFilter {
  readonly consumer?: string | undefined;
  readonly state?: string | undefined;
  /** The id of an event. */
  readonly event?: string | undefined;
}

const MEANT = `($1::text is null or consumer = $1) and ($2::text is null or state = $2)
  and ($3::text is null or position = (select position from event_log where id = $3))`;

const parametersOf = ({ consumer, state, event }: DeliveryFilter) => [consumer ?? null, state ?? null, event ?? null];

const shownDelivery = (row: Row) => {
  const [consumer, id, name, documentId, state, attempts, status, error, milliseconds, dueAt, endedAt] = row;
  return { consumer, id, event: name, documentId, state, attempts, status, error, milliseconds, dueAt, endedAt };
};

/** A page of them; `after` is the cursor of the page before: a position, and the last consumer there. */
type DeliveryPage = DeliveryFilter & { readonly limit?: number; readonly after?: string | undefined };

const CURSOR = /^(\d{1,18}):(.+)$/;

/** A page of deliveries, newest first, and the cursor of the next one. */
export const listDeliveries = async (database: Reader, { limit = 100, after = "", ...filter }: DeliveryPage) => {
  const [, position = null, consumer = null] = CURSOR.exec(after) ?? [];
  const rows = await database.rows(
    `select consumer, id, name, event_deliveries.document_id, state, attempts, status, error, milliseconds,
        to_char(due_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), position
      from event_deliveries join event_log using (position)
      where ${MEANT} and ($4::bigint is null or position < $4 or (position = $4 and consumer > $5))
      order by position desc, consumer limit $6::int`,
    [...parametersOf(filter), position, consumer, limit + 1],
  );
  const [shown, last] = [rows.slice(0, limit), rows[limit - 1]];
  return { data: shown.map(shownDelivery), next: rows.length > limit && last ? `${last[11]}:${last[0]}` : null };
};

/** Makes finished deliveries due again. Returns how many. */
export const replay = async ({ by, ...recording }: Acting, filter: DeliveryFilter): Promise<number> => {
  const { consumer, state = null, event = null } = filter;
  const subject = consumer === undefined ? undefined : { type: "webhook", id: consumer, name: consumer };
  const act: Act = { action: "webhook.replay", subject, details: { state, event } };
  const count = await recordedChange(recording, act, by, async (session) => {
    const rows = await session.rows(
      `update event_deliveries set state = 'pending', attempts = 0, due_at = now() at time zone 'utc', ended_at = null
        where state <> 'pending' and ${MEANT} returning position`,
      parametersOf(filter),
    );
    return rows.length;
  });
  await notify(recording.database, EVENTS_CHANNEL);
  return count;
};
