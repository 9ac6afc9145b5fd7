/**
 * Runs schedules when they are due. Every process does so, and whichever locks a schedule's row runs it: no schedule is
 * late because a process has stopped, and none runs twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { AccountServices } from "../accounts/services.ts";
import { builder, run } from "../database/database.ts";
import { NOW } from "../database/instants.ts";
import type { Feature } from "../http/context.ts";
import type { Registry } from "../schema/registry.ts";
import { type Attempts, createAttempts } from "../telemetry/attempts.ts";
import { carryOut, type Due } from "./carry-out.ts";
import { scheduleRoutes } from "./routes.ts";
import { IS_NEXT } from "./rows.ts";
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

/** Deletes old schedules now, and then every hour. */
const startCleaning = ({ database, log }: AccountServices): (() => void) => {
  const attempt = createAttempts(log, "old schedules could not be deleted");
  const old = lt(schedules.endedAt, sql`${NOW} - ${DAYS} * interval '1 day'`);
  const clean = (): void => void attempt(() => run(database, builder.delete(schedules).where(old)));
  clean();
  const timer = setInterval(clean, HOUR).unref();
  return () => clearInterval(timer);
};

const dueAt = sql`coalesce(${schedules.retryAt}, ${schedules.at})`;

/** The next schedules, with the milliseconds until they are due. */
const next = async ({ database }: AccountServices): Promise<readonly (Due & { readonly wait: number })[]> => {
  const milliseconds = sql`(extract(epoch from ${dueAt} - ${NOW}) * 1000)::float8`;
  const rows = await run(
    database,
    builder
      .select({ id: schedules.id, caller: schedules.caller, milliseconds })
      .from(schedules)
      .where(and(eq(schedules.state, "waiting"), sql`${schedules.at} <= ${NOW} + interval '1 minute'`, IS_NEXT))
      .orderBy(dueAt, schedules.id)
      .limit(LOOKED_FOR),
  );
  return rows.map(([id, caller, wait]) => ({ id: Number(id), caller, wait: Number(wait) }));
};

/** The number of schedules to run concurrently: the other half of the connections is left to requests. */
const widthOf = ({ config, database }: AccountServices): number =>
  database.kind === "pglite" ? 1 : Math.max(1, Math.min(AT_ONCE, Math.floor(config.database.pool / 2)));

/** Runs schedules, several at once, until it is stopped. One that takes long does not delay the others. */
class Scheduler {
  readonly #services: AccountServices;
  readonly #width: number;
  readonly #reading: Attempts;
  readonly #storing: Attempts;
  readonly #running = new Map<number, Promise<void>>();
  readonly #rounds: Promise<void>;
  #isStopped = false;
  /** Whether another process has run some of what was found due. */
  #isOutdated = false;
  /** Ends the pause before the next look. */
  #wake = (): void => {};

  constructor(services: AccountServices) {
    this.#services = services;
    this.#width = widthOf(services);
    this.#reading = createAttempts(services.log, "schedules wait: the database does not answer");
    this.#storing = createAttempts(services.log, "the outcome of a schedule could not be stored");
    this.#rounds = this.#run();
  }

  /** Starts no more schedules, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#rounds;
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const wait = await this.#reading(() => this.#look());
      if (this.#isStopped) return;
      await this.#pause(wait ?? INTERVAL);
      await sleep(LOCKED, undefined, { ref: false });
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Starts what is due, and returns the milliseconds until something else may be. */
  async #look(): Promise<number> {
    this.#isOutdated = false;
    const found = (await next(this.#services)).filter(({ id }) => !this.#running.has(id));
    const due = found.filter(({ wait }) => wait <= 0);
    // Processes that poll at the same time start at different schedules, so few find theirs locked.
    const first = Math.floor(Math.random() * due.length);
    for (const each of [...due.slice(first), ...due.slice(0, first)]) {
      while (this.#running.size >= this.#width) await Promise.race(this.#running.values());
      if (this.#isStopped || this.#isOutdated) return 0;
      this.#running.set(each.id, this.#perform(each));
    }
    return Math.min(INTERVAL, found.find(({ wait }) => wait > 0)?.wait ?? INTERVAL);
  }

  async #perform(due: Due): Promise<void> {
    const isDone = await this.#storing(() => carryOut(this.#services, due));
    if (isDone === false) this.#isOutdated = true;
    if (isDone === undefined && !this.#isStopped) await sleep(INTERVAL, undefined, { ref: false });
    this.#running.delete(due.id);
    this.#wake();
  }
}

/** Starts running schedules. */
export const startSchedules = (services: AccountServices): { stop(): Promise<void> } => {
  const scheduler = new Scheduler(services);
  const stopCleaning = startCleaning(services);
  return {
    stop() {
      stopCleaning();
      return scheduler.stop();
    },
  };
};

/** The feature that publishes and unpublishes documents on schedule. */
export const schedulesFeature = (registry: Registry): Feature => ({
  tables: [schedules],
  routes: scheduleRoutes(registry),
  start: async (services) => startSchedules(services).stop,
});
