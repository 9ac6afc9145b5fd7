/** Keeps the driver from sending statements twice. */

/** A statement of the driver: a promise that sends the statement when it is first awaited. */
export interface DriverQuery<Result> extends Promise<Result> {
  cancelled: unknown;
  reject(error: unknown): void;
}

/**
 * The driver retries some failed statements, by then outside of their transaction, and first stores the error in the
 * property `retried`. This setter marks the query as cancelled, so that the driver does not send it, and rejects it.
 */
const neverAgain: PropertyDescriptor & ThisType<DriverQuery<unknown>> = {
  set(error: unknown) {
    this.cancelled = true;
    this.reject(error);
  },
};

let sentOnce: object | null = null;

/**
 * Keeps the driver from sending this query again. All queries share one prototype for that: defining a property on each
 * query would make it slow for the JavaScript engine.
 */
export const once = <Result>(query: PromiseLike<Result>): DriverQuery<Result> => {
  sentOnce ??= Object.create(Object.getPrototypeOf(query), { retried: neverAgain });
  return Object.setPrototypeOf(query, sentOnce);
};
