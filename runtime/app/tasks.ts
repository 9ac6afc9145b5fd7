/** Runs the scheduled tasks of the application, in only one of the processes that serve the same database. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cron } from "croner";
import { didYouMean } from "../base/did-you-mean.ts";
import { messageOf, SetupError } from "../base/thrown.ts";
import { databaseOf } from "../database/drizzle.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Task } from "../graphql/extension/app.ts";
import type { Application } from "./application.ts";

/** Milliseconds between checks whether the process with the tasks has ended, or whether this one still has the lock. */
const TURN = 5000;

/** The advisory lock of the process that runs the tasks. */
const LOCK = "hashtextextended('galley tasks', 0)";

const tasksOf = ({ app }: Application): readonly (readonly [name: string, task: Task])[] =>
  Object.entries(app?.tasks ?? {});

/** Callbacks of a schedule: for a due run, and for one that falls due while the previous one still runs. */
interface Due {
  run(): Promise<void>;
  stillRuns(): void;
}

/** Creates a schedule. croner is loaded only if there are tasks. */
const cronOf = async (name: string, { schedule, timeZone }: Task, due?: Due): Promise<Cron> => {
  const { Cron } = await import("croner");
  try {
    const options = {
      protect: due?.stillRuns ?? true,
      unref: true,
      paused: !due,
      ...(timeZone === undefined ? {} : { timezone: timeZone }),
    };
    const cron = new Cron(schedule, options, due?.run);
    // Fails for an unknown time zone.
    cron.nextRun();
    return cron;
  } catch (error) {
    throw new SetupError(`the task "${name}" of app.ts has no schedule: ${messageOf(error)}`, { cause: error });
  }
};

/**
 * The tasks of an application, with the times of their next runs; null for those that never run again.
 *
 * @throws SetupError for an invalid schedule
 */
export const plannedTasks = (application: Application) =>
  Promise.all(
    tasksOf(application).map(async ([name, task]) => {
      const cron = await cronOf(name, task);
      return { name, schedule: task.schedule, next: cron.nextRun() };
    }),
  );

/**
 * Runs a task now, regardless of its schedule.
 *
 * @throws SetupError when there is no task with this name; errors of the task
 */
export const runTask = async (application: Application, services: HookServices, name: string): Promise<void> => {
  const tasks = new Map(tasksOf(application));
  const task = tasks.get(name);
  if (!task) throw new SetupError(`app.ts has no task "${name}".${didYouMean(name, tasks.keys())}`);
  await task.run({ services });
};

/** The scheduled tasks of a process. */
export interface RunningTasks {
  /** Starts no more tasks. Waits for running ones, as long as a stopping server waits for requests. */
  stop(): Promise<void>;
}

/** Waits for running tasks, up to a time limit, since a task may never end. */
const settled = async (running: ReadonlySet<Promise<void>>, { config, log }: HookServices): Promise<void> => {
  const done = new AbortController();
  const late = sleep(config.server.shutdownSeconds * 1000, true, { signal: done.signal }).catch(() => false);
  const isLate = await Promise.race([Promise.all(running).then(() => false), late]);
  done.abort();
  if (isLate) log.warn({ runs: running.size }, "a task does not end; the server no longer waits for it");
};

/**
 * Runs the tasks on schedule until it is stopped.
 *
 * @param mayRun called before each run; says whether this process still is the one that runs the tasks
 */
const schedule = async (
  application: Application,
  services: HookServices,
  mayRun: () => Promise<boolean>,
): Promise<RunningTasks> => {
  const running = new Set<Promise<void>>();
  const { log } = services;

  const dueOf = (name: string): Due => {
    let isReported = false;
    return {
      async run() {
        if (!(await mayRun())) return;
        isReported = false;
        const run = runTask(application, services, name).catch((error: unknown) => {
          log.error({ err: error, task: name }, "a task failed");
        });
        running.add(run);
        await run;
        running.delete(run);
      },
      stillRuns() {
        if (!isReported)
          log.warn({ task: name }, "a task is due again, and still runs: it is not started a second time");
        isReported = true;
      },
    };
  };

  const crons = await Promise.all(tasksOf(application).map(([name, task]) => cronOf(name, task, dueOf(name))));
  return {
    async stop() {
      for (const cron of crons) cron.stop();
      await settled(running, services);
    },
  };
};

const pause = (signal: AbortSignal): Promise<void> => sleep(TURN, undefined, { signal, ref: false }).catch(() => {});

/** Runs the tasks as long as this process holds the lock, if it gets it. */
const lead = (application: Application, services: HookServices, signal: AbortSignal): Promise<void> =>
  databaseOf(services.db).exclusively(async (session) => {
    const [row] = await session.rows(`select pg_try_advisory_lock(${LOCK})`);
    if (row?.[0] !== true) return;
    const lost = new AbortController();
    const ended = AbortSignal.any([signal, lost.signal]);
    // The lock lasts as long as the connection. A process that has lost it must not run tasks that another now runs.
    const holdsLock = async (): Promise<boolean> => {
      if (signal.aborted) return false;
      await session.rows("select 1").catch((error: unknown) => lost.abort(error));
      return !ended.aborted;
    };
    const tasks = await schedule(application, services, holdsLock);
    try {
      while (await holdsLock()) await pause(ended);
      lost.signal.throwIfAborted();
    } finally {
      await tasks.stop();
      await session.rows(`select pg_advisory_unlock(${LOCK})`).catch(() => {});
    }
  });

/** Tries to get the lock at regular intervals: when the process with the tasks ends, another one takes over. */
const takeTurns = async (application: Application, services: HookServices, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await lead(application, services, signal).catch((error: unknown) => {
      services.log.warn({ err: error }, "tasks cannot run: the database does not answer");
    });
    await pause(signal);
  }
};

/** Runs the tasks. An embedded database is used by one process only, so it needs no lock. */
const runAll = async (application: Application, services: HookServices, signal: AbortSignal): Promise<void> => {
  if (databaseOf(services.db).kind !== "pglite") return takeTurns(application, services, signal);
  const tasks = await schedule(application, services, async () => !signal.aborted);
  if (!signal.aborted) await once(signal, "abort");
  return tasks.stop();
};

/**
 * Starts the tasks of an application, whose schedules have been checked.
 *
 * @param before resolves when tasks may start: when those of the replaced application have ended
 */
export const startTasks = (
  application: Application,
  services: HookServices,
  before: Promise<void> = Promise.resolve(),
): RunningTasks => {
  if (tasksOf(application).length === 0) return { stop: async () => {} };
  const ending = new AbortController();
  const { signal } = ending;
  const runs = Promise.race([before, once(signal, "abort")]).then(() =>
    signal.aborted ? undefined : runAll(application, services, signal),
  );
  return {
    async stop() {
      ending.abort();
      await runs;
    },
  };
};
