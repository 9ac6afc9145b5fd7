/** Logs an outage once when it begins and once when it is over, however many requests it affects. */
import { AbandonedError, type HttpError, ServiceUnavailableError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Reader } from "../../database/database.ts";
import { DatabaseLostError } from "../../database/fault.ts";

/** Milliseconds between checks whether an outage is over. */
const CHECK = 1000;

interface Outage {
  readonly begun: number;
  /** When a request last failed with this error. */
  last: number;
  requests: number;
}

const LOST = "the database is lost: requests are answered 503";

const summaryOf = (what: string, { begun, last, requests }: Outage) => {
  const seconds = Math.max(1, Math.round((last - begun) / 1000));
  const over = what === LOST ? "the database is back" : "over";
  return `${over} after ${seconds} s, ${requests} ${requests === 1 ? "request" : "requests"} answered 503`;
};

/** @param database polled to find out whether it is back */
export const createOutages = (log: Logger, database: Reader) => {
  const outages = new Map<string, Outage>();

  /** An outage is over when the database answers and no request has failed for a while. */
  const check = async (): Promise<void> => {
    const quietSince = performance.now() - CHECK;
    await database.rows("select 1");
    for (const [what, outage] of outages) {
      if (outage.last > quietSince) continue;
      outages.delete(what);
      log.info({ requests: outage.requests }, summaryOf(what, outage));
    }
  };
  const timer = setInterval(() => void (outages.size > 0 && check().catch(() => {})), CHECK).unref();

  return {
    /** Logs the error of a request that could not be served; during an outage only the first one. */
    report(error: HttpError, request: object = {}): void {
      if (error instanceof AbandonedError) return;
      const isOutage = error instanceof ServiceUnavailableError;
      const kind = error instanceof DatabaseLostError ? LOST : `requests are answered 503: ${error.message}`;
      const what = isOutage ? kind : "a request could not be served";
      const now = performance.now();
      const outage = outages.get(what);
      if (outage) Object.assign(outage, { last: now, requests: outage.requests + 1 });
      else log.error({ err: error, ...request }, what);
      if (isOutage && !outage) outages.set(what, { begun: now, last: now, requests: 1 });
    },
    stop: (): void => clearInterval(timer),
  };
};

export type Outages = ReturnType<typeof createOutages>;
