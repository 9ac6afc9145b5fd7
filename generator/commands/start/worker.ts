/** A worker process, and how it talks to the supervisor. */
import cluster, { type Worker } from "node:cluster";
import { SetupError } from "../../../runtime/base/thrown.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { signals } from "../until-stopped.ts";

const STOP = "stop";
const SERVES = "serves";
const LOOK = "look for connections";
const LOOKED = "looked for connections";

/** Asks a worker to end once it has finished its requests. */
export const retire = (worker: Worker): void => {
  if (worker.isConnected()) worker.send(STOP);
};

/** Says that this worker accepts requests; one that listens may only show metrics yet. */
export const tellServing = (): void => void cluster.worker?.send(SERVES);

/** Resolves with true when a worker accepts requests, or with false if it ends first. */
export const untilServing = (worker: Worker): Promise<boolean> =>
  new Promise((resolve) => {
    worker.on("message", (message) => {
      if (message === SERVES) resolve(true);
    });
    worker.once("exit", () => resolve(false));
  });

/**
 * Resolves when the worker is to end. Signals often go to the whole process group, so the same request may arrive
 * several times: to end a worker at once, signal the supervisor.
 */
export const untilRetired = (): Promise<void> =>
  new Promise((resolve) => {
    process.on("message", (message) => {
      if (message === STOP) resolve();
    });
    for (const signal of signals) process.on(signal, () => resolve());
  });

/** Tells a worker that asks when the waiting connections have been accepted and handed out. */
export const tellTurns = (worker: Worker): void => {
  worker.on("message", (message) => {
    // The event loop accepts connections before it calls this.
    if (message === LOOK) setImmediate(() => worker.isConnected() && worker.send(LOOKED));
  });
};

/** Resolves when the accepting process has checked for connections, and this worker has received its share. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const receive = (message: unknown): void => {
      if (message !== LOOKED) return;
      process.off("message", receive);
      resolve();
    };
    process.on("message", receive);
    process.send?.(LOOK);
  });

/** @throws SetupError if several processes were asked for, and the database serves only one */
export const demandShared = ({ kind }: Pick<Database, "kind">): void => {
  if (cluster.isWorker && kind === "pglite") {
    throw new SetupError("The embedded database belongs to one process: --workers needs PostgreSQL (DATABASE_URL).");
  }
};
