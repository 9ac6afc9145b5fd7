/** Statements of the driver, kept from being sent a second time. */

/** A statement as the driver knows it: a promise that sends it when somebody first asks for its answer. */
export interface DriverQuery<Result> extends Promise<Result> {
  cancelled: unknown;
  reject(error: unknown): void;
}

/**
 * The driver sends some statements again when they fail, by then outside of their transaction. It notes so in this
 * property, and sends nothing that was cancelled.
 */
const neverAgain: PropertyDescriptor & ThisType<DriverQuery<unknown>> = {
  set(error: unknown) {
    this.cancelled = true;
    this.reject(error);
  },
};

let sentOnce: object | null = null;

/**
 * Keeps the driver from sending it again. All of them share one prototype: a property of its own would turn each into an
 * object that the engine is slow with.
 */
export const once = <Result>(query: PromiseLike<Result>): DriverQuery<Result> => {
  sentOnce ??= Object.create(Object.getPrototypeOf(query), { retried: neverAgain });
  return Object.setPrototypeOf(query, sentOnce);
};
