/** Tells load balancers whether to send requests to this server. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceUnavailableError } from "../../base/errors.ts";

/** Milliseconds for which a result is reused, so that frequent checks cost nothing. */
const FRESH = 1000;
/** Milliseconds in which a check is answered: with the result before it, if it takes longer. */
const ANSWER = 400;
/** Milliseconds that a check may take before the server counts as not ready: more than one waits for connections of a busy pool. */
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
  /** The result of the check before, which counts while the running one takes longer than usual. */
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
