/** Keeps the driver from sending statements twice, from answering with rows of others, and from holding on to rows. */

/** A statement of the driver, whose answer goes to two functions that belong to it. */
export interface DriverQuery<Result> {
  cancelled: unknown;
  /** The driver calls this when the answer is complete. */
  resolve(result: Result): void;
  reject(error: unknown): void;
  /** Sends it. */
  execute(): unknown;
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

const nothing = (): void => {};

/**
 * Sends a statement. One of the two functions is called while the driver takes the end of the answer. The statement
 * itself is the promise that the driver would resolve; but the driver keeps it until the next one is answered, and with
 * its rows it made collecting garbage take a tenth of the time of a read.
 */
export const send = <Result>(
  query: DriverQuery<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): void => {
  const free = (): void => {
    query.resolve = query.reject = nothing;
  };
  query.resolve = (result) => {
    free();
    resolve(result);
  };
  query.reject = (error) => {
    free();
    reject(error);
  };
  query.execute();
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
