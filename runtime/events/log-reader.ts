/**
 * Reads the log of events in an order that nothing can be added before: by transaction, and only those before the oldest one
 * that is still under way. A transaction that writes for long holds up what came after it, and loses nothing.
 */
import { requiredText } from "../database/column-values.ts";
import type { Database, Row } from "../database/database.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import { EVENT_COLUMNS, eventOf } from "./logged-event.ts";

/** A place in the log, after which an event may stand: transaction, and position. Texts, since both are 64 bits. */
export type Place = readonly [transaction: string, position: string];

export interface LoggedEvent {
  readonly event: CommittedEvent;
  readonly place: Place;
}

/** Most events that are read at once. */
const PAGE = 200;

/** Events after the one that a listener knew, beyond which it has to read anew. */
const MOST_MISSED = 10_000;

const OLDEST = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

const READ = `select ${EVENT_COLUMNS}, transaction::text, position::text from event_log
  where (transaction, position) > ($1::bigint, $2::bigint) and transaction < ${OLDEST}
  order by transaction, position limit ${PAGE}`;

/** An event that this server has told of: a database that was restored elsewhere counts its transactions anew. */
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
  /** The end of what can be read now. */
  async end(): Promise<Place> {
    const [row] = await database.rows(`select ${OLDEST}::text`);
    return [requiredText(row?.[0]), "0"];
  },
  /** A page of what stands after a place; empty if there is nothing more for now. */
  async after([transaction, position]: Place): Promise<readonly LoggedEvent[]> {
    return (await database.rows(READ, [transaction, position])).map(loggedOf);
  },
  /** Whether there are events that can be read once other transactions have ended. */
  async isHeldUp(): Promise<boolean> {
    const [row] = await database.rows(`select exists(select from event_log where transaction >= ${OLDEST})`);
    return row?.[0] === true;
  },
  /** The place of an event; undefined if it is not known, or too much has happened since. */
  async placeOf(id: string): Promise<Place | undefined> {
    const [row] = await database.rows(FIND, [id]);
    if (!row || Number(row[2]) >= MOST_MISSED) return undefined;
    return [requiredText(row[0]), requiredText(row[1])];
  },
});

export type LogReader = ReturnType<typeof logReader>;
