/** How commands that serve come to their end. */
import { constants } from "node:os";

/** What asks a command that serves to end. */
export const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once, or does what `atOnce` says. */
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

/** Ends the process when closing takes too long, whatever still holds it: whoever asked it to end waits no longer. */
export const endAfter = (shutdownSeconds: number): void => {
  setTimeout(giveUp, (shutdownSeconds + CLOSING) * 1000).unref();
};
