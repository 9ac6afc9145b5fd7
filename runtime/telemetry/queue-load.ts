/** Reads how many deliveries wait for the consumers of events, for metrics. */
import type { Reader } from "../database/database.ts";
import type { ConsumerLoad } from "./queue-metrics.ts";

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
  consumers: readonly { readonly name: string }[],
): Promise<readonly ConsumerLoad[]> =>
  (await database.rows(LOAD, [consumers.map(({ name }) => name)])).map(([consumer, pending, parked, lag]) => ({
    consumer: String(consumer),
    pending: Number(pending),
    parked: Number(parked),
    lag: Math.max(0, Number(lag ?? 0)),
  }));
