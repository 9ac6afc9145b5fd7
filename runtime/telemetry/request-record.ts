/** What is known about a request while it is answered, for its log line, metrics and errors. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { ObservedRequest } from "../database/database.ts";

/** The response header with the id of the request. */
export const REQUEST_ID = "X-Request-Id";

export interface RequestRecord extends ObservedRequest {
  /** When the head of the request had arrived, in terms of `performance.now()`. */
  readonly start: number;
  route?: string | undefined;
  caller?: Caller | undefined;
  /** Whether a stored response was sent. */
  isHit: boolean;
  /** The GraphQL operation that ran. */
  operation?: { readonly type: string; readonly name: string | undefined } | undefined;
}

/** Records by Node's request object, and collected together with it. */
const records = new WeakMap<IncomingMessage, RequestRecord>();

export const beginRecord = (incoming: IncomingMessage, id: string): RequestRecord => {
  const record: RequestRecord = { id, start: performance.now(), isHit: false, statements: 0 };
  records.set(incoming, record);
  return record;
};

/** The record of a request; undefined if nothing observes requests, as in tests that call the application. */
export const recordOf = (incoming: IncomingMessage | undefined): RequestRecord | undefined =>
  incoming && records.get(incoming);

/** Records that a stored response is sent. */
export const noteHit = (incoming: IncomingMessage, caller: Caller, route: string | undefined): void => {
  const record = recordOf(incoming);
  if (record) Object.assign(record, { caller, route, isHit: true });
};
