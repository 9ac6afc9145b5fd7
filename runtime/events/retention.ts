/** Deletes old events. */
import type { Logger } from "../base/log.ts";
import type { EventsConfig } from "../config/events.ts";
import type { Database } from "../database/database.ts";
import { createAttempts } from "../telemetry/attempts.ts";

const HOUR = 3_600_000;

/** Most rows that one statement deletes, so that none holds locks for long. */
const BATCH = 5000;

const OLD = "(now() at time zone 'utc') - $1 * interval '1 day'";

const NEXT_CONSUMER = "select min(consumer) from event_deliveries where state = 'pending'";

/** Deletes the backlog of consumers that no longer exist. Finds them without reading that of the others. */
const ORPHANS = `with recursive waiting(consumer) as (
  ${NEXT_CONSUMER} union all select (${NEXT_CONSUMER} and consumer > waiting.consumer) from waiting where consumer is not null
)
delete from event_deliveries where (consumer, position) in (
  select waiting.consumer, position from waiting cross join lateral (
    select position from event_deliveries as oldest where oldest.consumer = waiting.consumer and state = 'pending'
    order by due_at, position limit ${BATCH}) as backlog join event_log using (position)
  where created_at < ${OLD} and waiting.consumer <> all($2::text[]) limit ${BATCH}) returning position`;

const ENDED = `delete from event_deliveries where (consumer, position) in (
  select consumer, position from event_deliveries
  where state <> 'pending' and ended_at < ${OLD} limit ${BATCH}) returning position`;

/** Positions follow the time, so that the oldest events are the first ones. */
const UNUSED = `delete from event_log where position in (
  select position from (select position, created_at from event_log
    where position < (select coalesce(min(position), ${2n ** 63n - 1n}) from event_deliveries)
    order by position limit ${BATCH}) as oldest where created_at < ${OLD}) returning position`;

/**
 * Deletes deliveries and events that are older than the configuration says. Pending deliveries of known consumers stay.
 * Those of unknown consumers stay until they are as old, since other processes may have a newer configuration.
 */
export const deleteOld = async (
  database: Database,
  { days }: EventsConfig,
  consumers: readonly string[],
): Promise<void> => {
  for (const [statement, parameters] of [
    [ORPHANS, [days, consumers]],
    [ENDED, [days]],
    [UNUSED, [days]],
  ] as const) {
    let deleted = BATCH;
    while (deleted === BATCH) deleted = (await database.rows(statement, parameters)).length;
  }
};

/** Deletes old events now, and then every hour. */
export const startRetention = (
  database: Database,
  config: EventsConfig,
  { consumers, log }: { readonly consumers: () => readonly string[]; readonly log: Logger },
): (() => void) => {
  const attempt = createAttempts(log, "old events could not be deleted");
  const run = (): void => void attempt(() => deleteOld(database, config, consumers()));
  run();
  const timer = setInterval(run, HOUR).unref();
  return () => clearInterval(timer);
};
