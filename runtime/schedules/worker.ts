/**
 * Runs schedules when they are due. Every process does so, and whichever locks a schedule's row runs it: no schedule is
 * late because a process has stopped, and none runs twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { AccountServices } from "../accounts/services.ts";
import { builder, run } from "../database/statement.ts";
import type { Feature } from "../http/services.ts";
import type { Registry } from "../schema/registry.ts";
import { createAttempts } from "../telemetry/attempts.ts";
import { carryOut } from "./carry-out.ts";
import { scheduleRoutes } from "./routes.ts";
import { IS_NEXT, NOW } from "./rows.ts";
import { documentSchedules as schedules } from "./tables.ts";

/** Maximum milliseconds until another process's new schedule is noticed. */
const INTERVAL = 500;

/** Milliseconds until the next poll when another process may hold what is due. */
const LOCKED = 20;

/** Maximum number of schedules fetched at once. */
const LOOKED_FOR = 200;

/** Maximum number of schedules that a process runs concurrently. */
const AT_ONCE = 8;

/** Days for which ended schedules are shown. */
const DAYS = 30;

/** Milliseconds between deletions of older ones. */
const HOUR = 3_600_000;

const deleteOld = ({ database }: AccountServices): Promise<unknown> =>
  run(database, builder.delete(schedules).where(lt(schedules.endedAt, sql`${NOW} - ${DAYS} * interval '1 day'`)));

const dueAt = sql`coalesce(${schedules.retryAt}, ${schedules.at})`;

/** The next schedules, with the milliseconds until they are due. */
const next = async ({
  database,
}: AccountServices): Promise<readonly { readonly id: number; readonly wait: number }[]> => {
  const wait = sql`(extract(epoch from ${dueAt} - ${NOW}) * 1000)::float8`;
  const rows = await run(
    database,
    builder
      .select({ id: schedules.id, wait })
      .from(schedules)
      .where(and(eq(schedules.state, "waiting"), sql`${schedules.at} <= ${NOW} + interval '1 minute'`, IS_NEXT))
      .orderBy(dueAt, schedules.id)
      .limit(LOOKED_FOR),
  );
  return rows.map(([id, milliseconds]) => ({ id: Number(id), wait: Number(milliseconds) }));
};

/** The number of schedules to run concurrently: the other half of the connections is left to requests. */
const widthOf = ({ config, database }: AccountServices): number =>
  database.kind === "pglite" ? 1 : Math.max(1, Math.min(AT_ONCE, Math.floor(config.database.pool / 2)));

/** Runs what is due, and returns the milliseconds to wait before the next round. */
const round = async (services: AccountServices, signal: AbortSignal): Promise<number> => {
  const found = await next(services);
  const due = found.filter(({ wait }) => wait <= 0);
  // Processes that poll at the same time start at different schedules, so few find theirs locked.
  const first = Math.floor(Math.random() * due.length);
  const left = [...due.slice(first), ...due.slice(0, first)].values();
  const work = async (): Promise<void> => {
    for (const { id } of left) {
      if (signal.aborted) return;
      await carryOut(services, id);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: widthOf(services) }, work));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  const soonest = found.find(({ wait }) => wait > 0);
  return due.length > 0 ? LOCKED : Math.min(INTERVAL, soonest?.wait ?? INTERVAL);
};

/** Starts running schedules; `stop` waits for those in progress. */
export const startSchedules = (services: AccountServices): { stop(): Promise<void> } => {
  const ending = new AbortController();
  const { signal } = ending;
  const attempt = createAttempts(services.log, "schedules wait: the database does not answer");
  let cleanedAt = Number.NEGATIVE_INFINITY;
  const work = async (): Promise<number> => {
    const wait = await round(services, signal);
    if (performance.now() - cleanedAt < HOUR) return wait;
    await deleteOld(services);
    cleanedAt = performance.now();
    return wait;
  };
  const rounds = async (): Promise<void> => {
    while (!signal.aborted) {
      const wait = (await attempt(work)) ?? INTERVAL;
      await sleep(Math.ceil(wait), undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const ended = rounds();
  return {
    async stop() {
      ending.abort();
      await ended;
    },
  };
};

/** The feature that publishes and unpublishes documents on schedule. */
export const schedulesFeature = (registry: Registry): Feature => ({
  tables: [schedules],
  routes: scheduleRoutes(registry),
  start: async (services) => startSchedules(services).stop,
});
