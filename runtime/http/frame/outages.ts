/** Logs an outage once when it begins and once when it is over, however many requests it concerns. */
import { AbandonedError, type HttpError, ServiceUnavailableError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Reader } from "../../database/database.ts";
import { DatabaseLostError } from "../../database/fault.ts";

/** Milliseconds between checks whether an outage is over. */
const CHECK = 1000;

interface Outage {
  readonly begun: number;
  /** When the last request was answered with this error. */
  last: number;
  requests: number;
}

export interface Outages {
  /** Logs the error of a request that could not be served: that of an outage only if it is the first. */
  report(error: HttpError, request?: object): void;
  stop(): void;
}

const LOST = "the database is lost: requests are answered 503";

const lineOf = (what: string, { begun, last, requests }: Outage) => {
  const seconds = Math.max(1, Math.round((last - begun) / 1000));
  const over = what === LOST ? "the database is back" : "over";
  return {
    seconds,
    text: `${over} after ${seconds} s, ${requests} ${requests === 1 ? "request" : "requests"} answered 503`,
  };
};

class LoggedOutages implements Outages {
  readonly #log: Logger;
  readonly #database: Reader;
  readonly #outages = new Map<string, Outage>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(log: Logger, database: Reader) {
    this.#log = log;
    this.#database = database;
  }

  report(error: HttpError, request: object = {}): void {
    if (error instanceof AbandonedError) return;
    if (!(error instanceof ServiceUnavailableError)) {
      this.#log.error({ err: error, ...request }, "a request could not be served");
      return;
    }
    const what = error instanceof DatabaseLostError ? LOST : `requests are answered 503: ${error.message}`;
    const now = performance.now();
    const outage = this.#outages.get(what);
    if (outage) Object.assign(outage, { last: now, requests: outage.requests + 1 });
    else this.#begin(what, { begun: now, last: now, requests: 1 }, { err: error, ...request });
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #begin(what: string, outage: Outage, first: object): void {
    this.#log.error(first, what);
    this.#outages.set(what, outage);
    if (this.#outages.size === 1) this.#plan();
  }

  #plan(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#check(), CHECK).unref();
  }

  /** An outage is over when the database answers, and nothing has failed for a while. */
  async #check(): Promise<void> {
    const begun = performance.now();
    const isBack = await this.#database.rows("select 1").then(
      () => true,
      () => false,
    );
    for (const [what, outage] of isBack ? this.#outages : []) {
      if (outage.last > begun - CHECK) continue;
      this.#outages.delete(what);
      const { seconds, text } = lineOf(what, outage);
      this.#log.info({ seconds, requests: outage.requests }, text);
    }
    if (this.#outages.size > 0) this.#plan();
  }
}

/** @param database is asked whether it is back */
export const createOutages = (log: Logger, database: Reader): Outages => new LoggedOutages(log, database);
