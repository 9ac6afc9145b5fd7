/** The queue of deliveries: claims due ones, and stores their outcomes. All times are by the database's clock. */
import type { EventsConfig } from "../config/events.ts";
import { type Database, numberOf, type Row } from "../database/database.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import { EVENT_COLUMNS, eventOf } from "./logged-event.ts";
import type { Outcome } from "./send.ts";

/** The lease of a claim in seconds. After that the claiming process must have been killed, and another may deliver. */
export const leaseOf = ({ timeoutSeconds }: EventsConfig): number => Math.ceil(timeoutSeconds * 2) + 5;

/** Due deliveries that one claim considers. Many of them may wait behind others of the same document. */
const WINDOW = 1000;

const NOW = "(now() at time zone 'utc')";
const seconds = (parameter: string): string => `${NOW} + ${parameter} * interval '1 second'`;

/** A delivery that this process has claimed. */
export interface Claimed {
  readonly position: number;
  /** The number of this attempt. */
  readonly attempt: number;
  readonly event: CommittedEvent;
  /** The body that earlier attempts sent. */
  readonly body: string | null;
  /** The database's clock, in milliseconds: that of a process may be wrong. */
  now(): number;
}

/**
 * Claims due deliveries without an earlier one of the same document. No other process gets them during the lease, which
 * begins when they are claimed, however long the statement has waited.
 *
 * Each part suits one index only, since a queue grows faster than its statistics: PostgreSQL may take a million
 * deliveries of a consumer for one. Asking for the first of a document takes the index in that order, and a state that
 * is not known to the planner excludes the indexes of pending deliveries where the primary key is meant. The heads are
 * found once, even by a plan from when the queue was empty.
 */
const CLAIM = `with due as (
  select position, document_id from event_deliveries
  where consumer = $1 and state = 'pending' and due_at <= ${NOW} order by due_at, position limit ${WINDOW}
), heads as materialized (
  select position from due where position = (
    select position from event_deliveries where consumer = $1 and state = 'pending'
      and document_id = due.document_id order by position limit 1)
  limit $2
), locked as (
  select position from event_deliveries
  where consumer = $1 and position in (table heads) and state = (select 'pending') and due_at <= ${NOW}
  for update skip locked
), claimed as (
  update event_deliveries as delivery set attempts = attempts + 1,
    due_at = clock_timestamp() at time zone 'utc' + $3::int * interval '1 second'
  from locked where consumer = $1 and delivery.position = locked.position
  returning delivery.position, attempts
)
select position, attempts, body, extract(epoch from clock_timestamp())::float8 * 1000, ${EVENT_COLUMNS}
from claimed join event_log using (position) order by position`;

/** Postpones deliveries that wait behind one that is not due, until that is, so that they do not fill the window. */
const STAND_BACK = `update event_deliveries as delivery set due_at = blocked.due_at from (
  select due.position, (
    select due_at from event_deliveries where consumer = $1 and state = 'pending'
      and document_id = due.document_id and position < due.position order by position limit 1) as due_at
  from (
    select position, document_id from event_deliveries
    where consumer = $1 and state = 'pending' and due_at <= ${NOW} order by due_at, position limit ${WINDOW}
    for update skip locked) as due) as blocked
where consumer = $1 and delivery.position = blocked.position and blocked.due_at > ${NOW}`;

/** Makes the next delivery of a document due once the previous one has ended. */
const NEXT = `update event_deliveries set due_at = least(due_at, ${NOW}) where consumer = $1 and position = (
  select position from event_deliveries where consumer = $1 and state = 'pending' and document_id = $2
    and position > $3 order by position limit 1)`;

const claimedOf = ([position, attempt, body, claimedAt, ...event]: Row): Claimed => {
  const receivedAt = performance.now();
  return {
    position: Number(position),
    attempt: numberOf(attempt),
    body: typeof body === "string" ? body : null,
    event: eventOf(event),
    now: () => numberOf(claimedAt) + performance.now() - receivedAt,
  };
};

/** The deliveries of one consumer. */
export interface Queue {
  claim(most: number): Promise<readonly Claimed[]>;
  /** Extends the lease of a claim. */
  extend(claimed: Claimed): Promise<unknown>;
  /** Stores the end of a delivery, unless another process has claimed it in the meantime. */
  end(claimed: Claimed, state: "done" | "parked", outcome: Outcome, milliseconds: number): Promise<void>;
  /** Stores a failed attempt, and when the next one is due. */
  postpone(claimed: Claimed, pause: number, outcome: Outcome, milliseconds: number): Promise<void>;
}

const MINE = "consumer = $1 and position = $2 and attempts = $3 and state = 'pending'";

/** @param lease see {@link leaseOf} */
export const queueOf = (database: Database, consumer: string, lease: number): Queue => ({
  async claim(most) {
    const rows = await database.rows(CLAIM, [consumer, most, lease]);
    if (rows.length < most) await standBack(database, consumer);
    return rows.map(claimedOf);
  },
  extend: ({ position, attempt }) =>
    database.rows(`update event_deliveries set due_at = ${seconds("$4::int")} where ${MINE}`, [
      consumer,
      position,
      attempt,
      lease,
    ]),
  end: (claimed, state, { status = null, error = null }, milliseconds) =>
    database.transaction(async (session) => {
      const { position, attempt, event } = claimed;
      await session.last(() =>
        Promise.all([
          session.rows(
            `update event_deliveries set state = $4, status = $5::int, error = $6, milliseconds = $7::int,
              ended_at = ${NOW} where ${MINE}`,
            [consumer, position, attempt, state, status, error, milliseconds],
          ),
          session.rows(NEXT, [consumer, event.documentId, position]),
        ]),
      );
    }),
  async postpone({ position, attempt }, pause, { status = null, error = null }, milliseconds) {
    await database.rows(
      `update event_deliveries set due_at = ${seconds("$4::float8")}, status = $5::int, error = $6,
        milliseconds = $7::int where ${MINE}`,
      [consumer, position, attempt, pause, status, error, milliseconds],
    );
  },
});

/** Postpones blocked deliveries if they fill a whole window; otherwise the claim saw everything that is due. */
const standBack = async (database: Database, consumer: string): Promise<void> => {
  const [row] = await database.rows(
    `select count(*) from (select from event_deliveries where consumer = $1 and state = 'pending'
      and due_at <= ${NOW} limit ${WINDOW}) as due`,
    [consumer],
  );
  if (Number(row?.[0]) >= WINDOW) await database.rows(STAND_BACK, [consumer]);
};
