/** Tells load balancers whether to send requests to this server. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceUnavailableError } from "../../base/errors.ts";

/** Milliseconds for which a result is reused, so that frequent checks cost nothing. */
const FRESH = 1000;
/** Milliseconds after which a check that still runs is answered with the previous result. */
const ANSWER = 400;
/** Milliseconds after which a check counts as failed: longer than the wait for a connection of a busy pool. */
const PATIENCE = 10_000;

const after = async (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

const tooLong = async (): Promise<never> => {
  await after(PATIENCE);
  throw new ServiceUnavailableError("The database does not answer");
};

/** @param examine rejects when the server cannot do its work */
export const createReadiness = (examine: () => Promise<void>) => {
  let isDraining = false;
  let examined = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  /** The result of the previous check, which applies while the running one takes longer than usual. */
  let last: Promise<void> | undefined;

  const begin = (): Promise<void> => {
    examined = performance.now();
    const own = Promise.race([examine(), tooLong()]).finally(() => {
      last = own;
      if (running === own) running = undefined;
    });
    own.catch(() => {});
    return own;
  };
  return {
    /** @throws ServiceUnavailableError when the server is not ready */
    async check(): Promise<void> {
      if (isDraining) throw new ServiceUnavailableError("The server is shutting down");
      if (!running && (!last || performance.now() - examined > FRESH)) running = begin();
      const current = running ?? last;
      await (running && last ? Promise.race([running, after(ANSWER).then(() => last)]) : current);
    },
    /** Marks the server as about to stop: from now on it is not ready. */
    drain: (): void => void (isDraining = true),
  };
};

export type Readiness = ReturnType<typeof createReadiness>;
