/** The queue of deliveries: claims those that are due, and stores how they ended. All times are the database's. */
import type { EventsConfig } from "../config/events.ts";
import { numberOf } from "../database/column-values.ts";
import type { Database, Row } from "../database/database.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import { EVENT_COLUMNS, eventOf } from "./logged-event.ts";
import type { Outcome } from "./send.ts";

/** Seconds after which another process may deliver what a process has claimed and not ended: it must have been killed. */
export const leaseOf = ({ timeoutSeconds }: EventsConfig): number => Math.ceil(timeoutSeconds * 2) + 5;

/** Deliveries that are looked at for one claim: as many may wait behind others of their documents. */
const WINDOW = 1000;

const NOW = "(now() at time zone 'utc')";
const seconds = (parameter: string): string => `${NOW} + ${parameter} * interval '1 second'`;

/** An event that this process is to deliver. */
export interface Claimed {
  readonly position: number;
  /** The number of this attempt. */
  readonly attempt: number;
  readonly event: CommittedEvent;
  /** The body that earlier attempts have sent. */
  readonly body: string | null;
}

/** Due deliveries without an earlier one of the same document; nobody else gets them until the lease has ended. */
const CLAIM = `with due as (
  select position, document_id from event_deliveries
  where consumer = $1 and state = 'pending' and due_at <= ${NOW} order by due_at, position limit ${WINDOW}
), heads as (
  select position from due where not exists (
    select from event_deliveries as earlier where consumer = $1 and state = 'pending'
      and earlier.document_id = due.document_id and earlier.position < due.position)
  limit $2
), locked as (
  select position from event_deliveries
  where consumer = $1 and position in (select position from heads) and state = 'pending' and due_at <= ${NOW}
  for update skip locked
), claimed as (
  update event_deliveries as delivery set due_at = ${seconds("$3::int")}, attempts = attempts + 1
  from locked where delivery.consumer = $1 and delivery.position = locked.position
  returning delivery.position, attempts
)
select position, attempts, body, ${EVENT_COLUMNS}
from claimed join event_log using (position) order by position`;

/** Moves what waits behind deliveries that are not due to the time of those, so that it fills no window. */
const STAND_BACK = `update event_deliveries as delivery set due_at = blocked.due_at from (
  select due.position, (
    select earlier.due_at from event_deliveries as earlier where consumer = $1 and state = 'pending'
      and earlier.document_id = due.document_id and earlier.position < due.position order by position limit 1) as due_at
  from (
    select position, document_id from event_deliveries
    where consumer = $1 and state = 'pending' and due_at <= ${NOW} order by due_at, position limit ${WINDOW}
    for update skip locked) as due) as blocked
where delivery.consumer = $1 and delivery.position = blocked.position and blocked.due_at > ${NOW}`;

/** The next delivery of a document is due once the one before it has ended. */
const NEXT = `update event_deliveries set due_at = least(due_at, ${NOW}) where consumer = $1 and position = (
  select position from event_deliveries where consumer = $1 and state = 'pending' and document_id = $2
    and position > $3 order by position limit 1)`;

const claimedOf = ([position, attempt, body, ...event]: Row): Claimed => ({
  position: Number(position),
  attempt: numberOf(attempt),
  body: typeof body === "string" ? body : null,
  event: eventOf(event),
});

/** The deliveries of one consumer. */
export interface Queue {
  claim(most: number): Promise<readonly Claimed[]>;
  /** Claims for longer. */
  extend(claimed: Claimed): Promise<unknown>;
  /** Stores the end of a delivery, unless another process has claimed it meanwhile. */
  end(claimed: Claimed, state: "done" | "parked", outcome: Outcome, milliseconds: number): Promise<void>;
  /** Stores that an attempt failed, and when the next one is due. */
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

/** Only where a whole window is due: otherwise all that is due was looked at. */
const standBack = async (database: Database, consumer: string): Promise<void> => {
  const [row] = await database.rows(
    `select count(*) from (select from event_deliveries where consumer = $1 and state = 'pending'
      and due_at <= ${NOW} limit ${WINDOW}) as due`,
    [consumer],
  );
  if (Number(row?.[0]) >= WINDOW) await database.rows(STAND_BACK, [consumer]);
};
