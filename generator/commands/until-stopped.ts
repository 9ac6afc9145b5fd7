/** How serving commands shut down. */
import { constants } from "node:os";

/** The request to stop serving. */
export const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once, or calls `atOnce`. */
export const untilStopped = (atOnce: (code: number) => void = process.exit): Promise<void> =>
  new Promise((resolve) => {
    let stopping = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (stopping) atOnce(128 + constants.signals[signal]);
        stopping = true;
        resolve();
      });
    }
  });

/** Seconds that closing the database may take after the last request. */
const CLOSING = 5;

const giveUp = (): void => {
  process.stderr.write("the server did not close in time, and ends with what it was doing undone\n");
  process.exit(1);
};

/**
 * Ends the process if closing takes too long, whatever still holds it: whoever asked it to stop has given up waiting.
 */
export const endAfter = (shutdownSeconds: number): void => {
  setTimeout(giveUp, (shutdownSeconds + CLOSING) * 1000).unref();
};
