/** The feature that keeps versions, and deletes expired ones. */
import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { run } from "../../database/database.ts";
import type { Recorder } from "../../documents/recorders.ts";
import type { Feature, Services } from "../../http/context.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { createAttempts } from "../../telemetry/attempts.ts";
import { createRecorder } from "./recorder.ts";
import { documentVersions as versions } from "./tables.ts";

const HOUR = 3_600_000;
/** The same after a failure. */
const MINUTE = 60_000;

/** Maximum number of versions that one statement deletes. */
const BATCH = 1000;

/** Maximum number of expired versions that one statement finds. */
const FOUND = 50 * BATCH;

const DELETION = "delete from document_versions where id = any($1::int[]) returning id";

/** Versions of a type that have expired. */
const surplus = ({ uid, history: { keep, days } = {} }: ContentType): readonly SQL[] => [
  ...(days === undefined
    ? []
    : [
        sql`select id from ${versions} where type = ${uid} and at < now() at time zone 'utc' - ${days} * interval '1 day'`,
      ]),
  ...(keep === undefined
    ? []
    : [
        sql`select id from (select id, row_number() over (partition by document_id, locale order by id desc) as number
          from ${versions} where type = ${uid}) as numbered where number > ${keep}`,
      ]),
];

/** Deletes the versions beyond the age or number that their types keep, until `signal` is aborted. Returns how many. */
export const deleteSurplus = async (
  { database, registry }: Pick<Services, "database" | "registry">,
  signal?: AbortSignal,
): Promise<number> => {
  let deleted = 0;
  const found = Object.values(registry.contentTypes).flatMap(({ type }) => (type.history ? surplus(type) : []));
  for (const ids of found) {
    let expired: readonly number[];
    do {
      // Finding them reads all versions of the type, so many are found at once.
      expired = (await run(database, sql`${ids} limit ${FOUND}`)).map(([id]) => Number(id));
      for (let start = 0; start < expired.length; start += BATCH) {
        const some = expired.slice(start, start + BATCH);
        deleted += (await database.rows(DELETION, [some])).length;
        if (signal?.aborted) return deleted;
      }
    } while (expired.length === FOUND);
  }
  return deleted;
};

/** Deletes expired versions every hour, in every process: concurrent deletions do no harm. */
const start = async (services: Services): Promise<() => Promise<void>> => {
  const ending = new AbortController();
  const { signal } = ending;
  const attempt = createAttempts(services.log, "old versions could not be deleted");
  const rounds = async (): Promise<void> => {
    while (!signal.aborted) {
      const deleted = await attempt(() => deleteSurplus(services, signal));
      await sleep(deleted === undefined ? MINUTE : HOUR, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const ended = rounds();
  return () => (ending.abort(), ended);
};

export const openVersions = (): { readonly feature: Feature; readonly recorder: Recorder } => ({
  feature: { tables: [versions], start },
  recorder: createRecorder(),
});
