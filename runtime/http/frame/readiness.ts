/** Tells load balancers whether to send requests to this server. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceUnavailableError } from "../../base/errors.ts";

/** Milliseconds for which a result is reused, so that frequent checks cost nothing. */
const FRESH = 1000;
/** Milliseconds that the check may take before the server counts as not ready. */
const PATIENCE = 3000;

export interface Readiness {
  /** @throws ServiceUnavailableError when the server is not ready */
  check(): Promise<void>;
  /** Marks the server as about to stop: from now on it is not ready. */
  drain(): void;
}

const tooLong = async (): Promise<never> => {
  await sleep(PATIENCE, undefined, { ref: false });
  throw new ServiceUnavailableError("The database does not answer");
};

/** @param examine rejects when the server cannot do its work */
export const createReadiness = (examine: () => Promise<void>): Readiness => {
  let isDraining = false;
  let examined = Number.NEGATIVE_INFINITY;
  let result: Promise<void> = Promise.resolve();
  return {
    async check() {
      if (isDraining) throw new ServiceUnavailableError("The server is shutting down");
      if (performance.now() - examined > FRESH) {
        examined = performance.now();
        result = Promise.race([examine(), tooLong()]);
      }
      await result;
    },
    drain() {
      isDraining = true;
    },
  };
};
