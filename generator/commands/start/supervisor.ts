/** The process that supervises the workers: starts, replaces and stops them. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../../runtime/base/log.ts";
import { answerMetricsOf } from "../../../runtime/telemetry/worker-metrics.ts";
import { untilStopped } from "../until-stopped.ts";
import { retire, tellTurns, untilServing } from "./worker.ts";

/** Milliseconds before retrying a worker that failed to start; doubles with each failure. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** A worker ended before it served; it has already said why. */
class StartFailed extends Error {
  readonly code: number;

  constructor(code: number) {
    super("a worker did not start");
    this.code = code;
  }
}

/** Starts another worker, which reads configuration and code anew. Resolves when it accepts requests. */
const start = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = cluster.fork();
    tellTurns(worker);
    answerMetricsOf(worker);
    worker.once("exit", (code: number | null) => reject(new StartFailed(code ?? 1)));
    void untilServing(worker).then((serves) => serves && resolve(worker));
  });

const all = (): readonly Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

const hasEnded = async (worker: Worker): Promise<void> => {
  if (!worker.isDead()) await once(worker, "exit");
};

/** The workers that accept requests. */
class Crew {
  readonly #log: Logger;
  readonly #serving = new Set<Worker>();
  readonly #dismissal = new AbortController();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Starts another worker. @throws StartFailed */
  async add(): Promise<Worker> {
    const worker = await start();
    this.#serving.add(worker);
    worker.once("exit", (code: number | null, signal: string | null) => {
      if (!this.#serving.delete(worker) || this.#isDismissed) return;
      const exit = { worker: worker.process.pid, exitCode: code, signal };
      this.#log.error(exit, "a worker ended, and another takes its place");
      void this.#replace(SHORTEST_PAUSE);
    });
    // It was still starting when all were asked to stop.
    if (this.#isDismissed) retire(worker);
    return worker;
  }

  /** Replaces each worker by a new one, which serves before the old one ends. @throws StartFailed */
  async renew(): Promise<void> {
    for (const old of all()) {
      // A worker that is still starting may have read the old files.
      const serves = this.#serving.has(old) || (!old.isDead() && (await untilServing(old)));
      if (this.#isDismissed) return;
      if (!serves) continue;
      const fresh = await this.add();
      // A worker that ended by itself meanwhile already has a successor.
      const leaving = this.#serving.has(old) ? old : fresh;
      this.#serving.delete(leaving);
      retire(leaving);
      await hasEnded(leaving);
    }
    this.#log.info({ workers: this.#serving.size }, "every worker was replaced");
  }

  /** Lets all workers finish their requests, and resolves when they have ended. */
  async dismiss(): Promise<void> {
    this.#dismissal.abort();
    const workers = all();
    for (const worker of workers) retire(worker);
    await Promise.all(workers.map(hasEnded));
  }

  get #isDismissed(): boolean {
    return this.#dismissal.signal.aborted;
  }

  /** Replaces a worker that ended, retrying as often as necessary. */
  async #replace(pause: number): Promise<void> {
    if (this.#isDismissed) return;
    await this.add().catch(async () => {
      if (this.#isDismissed) return;
      this.#log.error({ milliseconds: pause }, "a worker did not start, and is tried again");
      // A worker dismissed meanwhile does not wait for it.
      await wait(pause, undefined, { signal: this.#dismissal.signal }).catch(() => {});
      await this.#replace(Math.min(2 * pause, LONGEST_PAUSE));
    });
  }
}

const endAtOnce = (code: number): never => {
  for (const { process: child } of all()) child.kill("SIGKILL");
  process.exit(code);
};

/** Replaces all workers on each SIGUSR2, one round after the other. */
const renewOnSignal = (crew: Crew, log: Logger): void => {
  let renewed = Promise.resolve();
  process.on("SIGUSR2", () => {
    renewed = renewed
      .then(() => crew.renew())
      .catch(() => {
        log.error({}, "a new worker did not start: those that serve go on");
      });
  });
};

/**
 * Serves with `count` processes on one port until SIGINT, SIGTERM or SIGHUP; a second signal ends them all at once.
 * SIGUSR2 replaces the processes one by one for new code and configuration: each new one serves before the old one
 * ends.
 *
 * @returns the exit code: that of a worker which fails to start at first, else 0
 */
export const supervise = async (count: number, log: Logger): Promise<number> => {
  const crew = new Crew(log);
  const stopped = untilStopped(endAtOnce);
  // Installed first: without a handler the signal would end this process, and all workers with it.
  renewOnSignal(crew, log);
  const begin = async (): Promise<void> => {
    // The first worker prepares what the others share, and reports errors once.
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
