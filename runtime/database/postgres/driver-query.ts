/** Keeps the driver from sending statements twice, and from answering with rows of others. */

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

/**
 * Removes what the driver puts before the rows of an answer: when a statement fails after its first rows, it goes on
 * counting, and the next answer on the connection begins with as many holes.
 */
export const removeHoles = (answer: unknown): void => {
  if (!Array.isArray(answer) || answer.length === 0 || 0 in answer) return;
  answer.splice(
    0,
    answer.findIndex((row) => row !== undefined),
  );
};
