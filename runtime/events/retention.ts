/** Deletes events that nobody needs any more. */
import type { Logger } from "../base/log.ts";
import type { EventsConfig } from "../config/events.ts";
import type { Database } from "../database/database.ts";

const HOUR = 3_600_000;

/** Rows that one statement deletes, so that none holds locks for long. */
const BATCH = 5000;

const OLD = "(now() at time zone 'utc') - $1 * interval '1 day'";

/** What waits for consumers that there are no more. */
const ORPHANS = `delete from event_deliveries where (consumer, position) in (
  select consumer, position from event_deliveries join event_log using (position)
  where state = 'pending' and created_at < ${OLD} and consumer <> all($2::text[]) limit ${BATCH}) returning position`;

const ENDED = `delete from event_deliveries where (consumer, position) in (
  select consumer, position from event_deliveries
  where state <> 'pending' and ended_at < ${OLD} limit ${BATCH}) returning position`;

const UNUSED = `delete from event_log where position in (
  select position from event_log where created_at < ${OLD}
    and position < coalesce((select min(position) from event_deliveries), position + 1)
  order by position limit ${BATCH}) returning position`;

/**
 * Deletes what ended longer ago than the configuration says. What is pending stays for consumers that there are; a process
 * with an older configuration may know fewer of them, so what waits for others is not deleted before that time.
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

/** Does so at once, and every hour. */
export const startRetention = (
  database: Database,
  config: EventsConfig,
  { consumers, log }: { readonly consumers: () => readonly string[]; readonly log: Logger },
): (() => void) => {
  const run = (): void => {
    deleteOld(database, config, consumers()).catch((error: unknown) =>
      log.warn({ err: error }, "old events could not be deleted"),
    );
  };
  run();
  const timer = setInterval(run, HOUR).unref();
  return () => clearInterval(timer);
};
