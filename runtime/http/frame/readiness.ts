/** Whether a load balancer should send requests here. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceUnavailableError } from "../../base/errors.ts";

/** Milliseconds for which an answer holds: asking costs nothing, however often somebody does. */
const FRESH = 1000;
/** Milliseconds in which everything has to be found in order. */
const PATIENCE = 3000;

export interface Readiness {
  /** @throws ServiceUnavailableError when requests should go elsewhere */
  check(): Promise<void>;
  /** The server is about to stop: from now on it is not ready. */
  drain(): void;
}

const tooLong = async (): Promise<never> => {
  await sleep(PATIENCE, undefined, { ref: false });
  throw new ServiceUnavailableError("The database does not answer");
};

/** `examine` rejects when the server cannot do its work. */
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
