/**
 * Reads the event log in an order in which new events only come last: by transaction, and only transactions before the
 * oldest running one. A long transaction delays the events after it, but none is lost.
 */
import { type Database, requiredText, type Row } from "../database/database.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import { EVENT_COLUMNS, eventOf } from "./logged-event.ts";

/** A position in the log: transaction, and number of the event. Texts, since both have 64 bits. */
export type Place = readonly [transaction: string, position: string];

export interface LoggedEvent {
  readonly event: CommittedEvent;
  readonly place: Place;
}

/** Most events to read at once. */
const PAGE = 200;

/** If a listener has missed this many events, it has to read everything again. */
const MOST_MISSED = 10_000;

const OLDEST = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

/** Sorts by the columns themselves: without the table, their names would mean the texts of the select list. */
const READ = `select ${EVENT_COLUMNS}, transaction::text, position::text from event_log
  where (transaction, position) > ($1::bigint, $2::bigint) and transaction < ${OLDEST}
  order by event_log.transaction, event_log.position limit ${PAGE}`;

/** Finds an event that this server has sent; a database restored elsewhere restarts its transaction numbers. */
const FIND = `select transaction::text, position::text, (select count(*) from (
    select from event_log as later where (later.transaction, later.position) > (event_log.transaction, event_log.position)
    limit ${MOST_MISSED}) as missed)
  from event_log where id = $1 and transaction < ${OLDEST}`;

const loggedOf = (row: Row): LoggedEvent => {
  const [transaction, position] = row.slice(-2);
  return { event: eventOf(row), place: [requiredText(transaction), requiredText(position)] };
};

export const isAfter = ([transaction, position]: Place, [otherTransaction, otherPosition]: Place): boolean =>
  transaction === otherTransaction
    ? BigInt(position) > BigInt(otherPosition)
    : BigInt(transaction) > BigInt(otherTransaction);

export const logReader = (database: Database) => ({
  /** The end of the currently readable log. */
  async end(): Promise<Place> {
    const [row] = await database.rows(`select ${OLDEST}::text`);
    return [requiredText(row?.[0]), "0"];
  },
  /** A page of events after a place; empty if there are none for now. */
  async after([transaction, position]: Place): Promise<readonly LoggedEvent[]> {
    return (await database.rows(READ, [transaction, position])).map(loggedOf);
  },
  /** Whether there are events that become readable once other transactions have ended. */
  async isHeldUp(): Promise<boolean> {
    const [row] = await database.rows(`select exists(select from event_log where transaction >= ${OLDEST})`);
    return row?.[0] === true;
  },
  /** The place of an event; undefined if it is unknown, or if too many events came after it. */
  async placeOf(id: string): Promise<Place | undefined> {
    const [row] = await database.rows(FIND, [id]);
    if (!row || Number(row[2]) >= MOST_MISSED) return undefined;
    return [requiredText(row[0]), requiredText(row[1])];
  },
});

export type LogReader = ReturnType<typeof logReader>;
