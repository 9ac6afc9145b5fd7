/** The process that looks after those that serve: it starts them, replaces those that end, and stops them. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../../runtime/base/log.ts";
import { untilStopped } from "../until-stopped.ts";
import { retire, tellTurns } from "./worker.ts";

/** Milliseconds until a worker that did not start is tried again: twice as many after each failure. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** A worker ended before it served; it has said why. */
class StartFailed extends Error {
  readonly code: number;

  constructor(code: number) {
    super("a worker did not start");
    this.code = code;
  }
}

/** Starts one more, which reads configuration and code anew. Resolves when it takes requests. */
const start = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = cluster.fork();
    tellTurns(worker);
    worker.once("listening", () => resolve(worker));
    worker.once("exit", (code: number | null) => reject(new StartFailed(code ?? 1)));
  });

const all = (): readonly Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

const hasEnded = async (worker: Worker): Promise<void> => {
  if (!worker.isDead()) await once(worker, "exit");
};

/** Resolves when a worker takes requests, or has ended without. */
const hasStarted = async (worker: Worker): Promise<boolean> => {
  if (worker.isDead()) return false;
  const ended = new AbortController();
  worker.once("exit", () => ended.abort());
  return once(worker, "listening", { signal: ended.signal }).then(
    () => true,
    () => false,
  );
};

/** The workers that take requests. */
interface Crew {
  /** Starts one more. @throws StartFailed */
  add(): Promise<Worker>;
  /** Starts a new one for each, which serves before the old one ends. @throws StartFailed */
  renew(): Promise<void>;
  /** Lets all answer what runs, and resolves when they have ended. */
  dismiss(): Promise<void>;
}

const createCrew = (log: Logger): Crew => {
  const serving = new Set<Worker>();
  const dismissal = new AbortController();
  const { signal: dismissed } = dismissal;

  /** Starts another one in the place of one that ended, however often that takes. */
  const replace = async (pause: number): Promise<void> => {
    if (dismissed.aborted) return;
    await add().catch(async () => {
      if (dismissed.aborted) return;
      log.error({ milliseconds: pause }, "a worker did not start, and is tried again");
      // Whoever is dismissed meanwhile does not wait for it.
      await wait(pause, undefined, { signal: dismissed }).catch(() => {});
      await replace(Math.min(2 * pause, LONGEST_PAUSE));
    });
  };

  const add = async (): Promise<Worker> => {
    const worker = await start();
    serving.add(worker);
    worker.once("exit", (code: number | null, signal: string | null) => {
      if (!serving.delete(worker) || dismissed.aborted) return;
      log.error({ worker: worker.process.pid, exitCode: code, signal }, "a worker ended, and another takes its place");
      void replace(SHORTEST_PAUSE);
    });
    // It was still starting when all were told to end.
    if (dismissed.aborted) retire(worker);
    return worker;
  };

  return {
    add,
    async renew() {
      for (const old of all()) {
        // One that is still starting may have read what was there before.
        const serves = serving.has(old) || (await hasStarted(old));
        if (dismissed.aborted) return;
        if (!serves) continue;
        const fresh = await add();
        // One that ended by itself meanwhile has a successor already.
        const leaving = serving.has(old) ? old : fresh;
        serving.delete(leaving);
        retire(leaving);
        await hasEnded(leaving);
      }
      log.info({ workers: serving.size }, "every worker was replaced");
    },
    async dismiss() {
      dismissal.abort();
      const workers = all();
      for (const worker of workers) retire(worker);
      await Promise.all(workers.map(hasEnded));
    },
  };
};

const endAtOnce = (code: number): never => {
  for (const { process: child } of all()) child.kill("SIGKILL");
  process.exit(code);
};

/** Renews the crew at each SIGUSR2, one time after the other. */
const renewOnSignal = (crew: Crew, log: Logger): void => {
  let renewed = Promise.resolve();
  process.on("SIGUSR2", () => {
    renewed = renewed.then(crew.renew).catch(() => {
      log.error({}, "a new worker did not start: those that serve go on");
    });
  });
};

/**
 * Serves with `count` processes on one port until SIGINT, SIGTERM or SIGHUP; a second one ends them all at once. SIGUSR2
 * replaces one process after the other, for new code and configuration: the new one serves before the old one ends.
 *
 * @returns the exit code: that of a worker which does not start in the beginning, else 0
 */
export const supervise = async (count: number, log: Logger): Promise<number> => {
  const crew = createCrew(log);
  const stopped = untilStopped(endAtOnce);
  // From the start: without a handler the signal would end this process, and all workers with it.
  renewOnSignal(crew, log);
  const begin = async (): Promise<void> => {
    // The first one prepares what the others share, and tells what is wrong once.
    await crew.add();
    await Promise.all(Array.from({ length: count - 1 }, () => crew.add()));
    await stopped;
  };
  try {
    await Promise.race([begin(), stopped]);
    return 0;
  } catch (error) {
    if (error instanceof StartFailed) return error.code;
    throw error;
  } finally {
    await crew.dismiss();
  }
};
