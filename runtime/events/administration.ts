/** Administration of webhooks and deliveries, by command and by REST. */
import { randomBytes } from "node:crypto";
import type { EventsConfig, WebhookConfig } from "../config/events.ts";
import type { Database, Reader, Row, Session } from "../database/database.ts";
import type { ConsumerLoad } from "../telemetry/queue-metrics.ts";
import { type Consumer, loadWebhooks } from "./consumers.ts";
import { createSender, type Outcome } from "./send.ts";

/** Notifies all processes that webhooks were added, removed or paused. */
export const WEBHOOKS_CHANNEL = "galley_webhooks";
/** Wakes the deliverers of all processes. */
export const EVENTS_CHANNEL = "galley_events";

const announce = (session: Reader, channel: string) => session.rows("select pg_notify($1, '')", [channel]);

/** A new secret for signatures. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/** Adds a webhook, or changes the one with the same name. */
export const addWebhook = async (database: Database, webhook: WebhookConfig): Promise<void> => {
  await database.rows(
    `insert into event_webhooks (name, settings, paused) values ($1, $2::json, false)
      on conflict (name) do update set settings = excluded.settings`,
    [webhook.name, JSON.stringify(webhook)],
  );
  await announce(database, WEBHOOKS_CHANNEL);
};

/** Removes a webhook that was added, with its backlog. Returns whether there was one. */
export const removeWebhook = async (database: Database, name: string): Promise<boolean> => {
  const rows = await database.transaction(async (session: Session) => {
    const removed = await session.rows("delete from event_webhooks where name = $1 returning name", [name]);
    if (removed.length > 0) await session.rows("delete from event_deliveries where consumer = $1", [name]);
    return removed;
  });
  await announce(database, WEBHOOKS_CHANNEL);
  return rows.length > 0;
};

/** Pauses or resumes a webhook. Events in between are delivered later. */
export const pauseWebhook = async (database: Database, name: string, paused: boolean): Promise<void> => {
  await database.rows(
    `insert into event_webhooks (name, settings, paused) values ($1, null, $2)
      on conflict (name) do update set paused = excluded.paused`,
    [name, paused],
  );
  await announce(database, WEBHOOKS_CHANNEL);
};

/** The webhooks, each with the size of its backlog. */
export const listWebhooks = async (database: Database, config: EventsConfig) => {
  const counts = await database.rows(
    `select consumer, count(*) filter (where state = 'pending'), count(*) filter (where state = 'parked')
      from event_deliveries group by consumer`,
  );
  const found = new Map(counts.map(([name, pending, parked]) => [name, { pending, parked }]));
  return (await loadWebhooks(database, config)).map(({ name, isPaused, to }: Consumer) => {
    const { pending = 0, parked = 0 } = found.get(name) ?? {};
    const url = "webhook" in to ? new URL(to.webhook.url) : undefined;
    return { name, host: url?.host ?? "", isPaused, pending: Number(pending), parked: Number(parked) };
  });
};

/** Most rows that are counted, so that counting a long queue is not slow. */
const COUNTED = 100_000;

const LOAD = `select consumer,
  (select count(*) from (select from event_deliveries as each where each.consumer = known.consumer
    and state = 'pending' limit ${COUNTED}) as pending),
  (select count(*) from (select from event_deliveries as each where each.consumer = known.consumer
    and state = 'parked' limit ${COUNTED}) as parked),
  (select extract(epoch from (now() at time zone 'utc') - min(due_at))::float8 from event_deliveries as each
    where each.consumer = known.consumer and state = 'pending')
  from unnest($1::text[]) as known(consumer)`;

/** The backlog of these consumers. */
export const readLoad = async (
  database: Reader,
  consumers: readonly Pick<Consumer, "name">[],
): Promise<readonly ConsumerLoad[]> =>
  (await database.rows(LOAD, [consumers.map(({ name }) => name)])).map(([consumer, pending, parked, lag]) => ({
    consumer: String(consumer),
    pending: Number(pending),
    parked: Number(parked),
    lag: Math.max(0, Number(lag ?? 0)),
  }));

/** Sends the event `trigger-test` now. Undefined if there is no such webhook. */
export const testWebhook = async (
  database: Database,
  config: EventsConfig,
  name: string,
): Promise<Outcome | undefined> => {
  const consumer = (await loadWebhooks(database, config)).find((each) => each.name === name);
  if (!consumer || !("webhook" in consumer.to)) return undefined;
  const sender = createSender(config);
  const event = "trigger-test";
  const body = JSON.stringify({ event, createdAt: new Date() });
  const id = `evt_test_${randomBytes(8).toString("hex")}`;
  return sender.send(consumer.to.webhook, { id, event, body }).finally(() => sender.close());
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

/** The newest deliveries. */
export const listDeliveries = async (database: Reader, filter: DeliveryFilter, limit = 100) => {
  const rows = await database.rows(
    `select consumer, id, name, event_deliveries.document_id, state, attempts, status, error, milliseconds,
        to_char(due_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      from event_deliveries join event_log using (position)
      where ${MEANT} order by position desc, consumer limit $4::int`,
    [...parametersOf(filter), limit],
  );
  return rows.map(shownDelivery);
};

/** Makes finished deliveries due again. Returns how many. */
export const replay = async (database: Database, filter: DeliveryFilter): Promise<number> => {
  const rows = await database.rows(
    `update event_deliveries set state = 'pending', attempts = 0, due_at = now() at time zone 'utc', ended_at = null
      where state <> 'pending' and ${MEANT} returning position`,
    parametersOf(filter),
  );
  await announce(database, EVENTS_CHANNEL);
  return rows.length;
};
