/** What is known of a request while it is answered: for its line in the log, its metrics and its errors. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { ObservedRequest } from "../database/database.ts";

/** The header of an answer that names its request. */
export const REQUEST_ID = "X-Request-Id";

export interface RequestRecord extends ObservedRequest {
  /** When the head of the request had arrived, as `performance.now()` counts. */
  readonly start: number;
  route?: string | undefined;
  caller?: Caller | undefined;
  /** Whether a stored answer was sent. */
  isHit: boolean;
  /** The GraphQL operation that was run. */
  operation?: { readonly type: string; readonly name: string | undefined } | undefined;
}

/** Requests end with their objects of Node, and so do their records. */
const records = new WeakMap<IncomingMessage, RequestRecord>();

export const beginRecord = (incoming: IncomingMessage, id: string): RequestRecord => {
  const record: RequestRecord = { id, start: performance.now(), isHit: false, statements: 0 };
  records.set(incoming, record);
  return record;
};

/** The record of a request; undefined where nothing observes requests, as in tests that call the application. */
export const recordOf = (incoming: IncomingMessage | undefined): RequestRecord | undefined =>
  incoming && records.get(incoming);

/** Notes that a stored answer is sent. */
export const noteHit = (incoming: IncomingMessage, caller: Caller, route: string | undefined): void => {
  const record = recordOf(incoming);
  if (record) Object.assign(record, { caller, route, isHit: true });
};
