/** Observes the requests of a server: gives each its id and its record, and notifies observers of its end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "./request-id.ts";
import { beginRecord, type RequestRecord } from "./request-record.ts";

/** A request whose answer was sent, or whose client disconnected. */
export interface EndedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly record: RequestRecord;
  /** The status of the answer; {@link CLIENT_LEFT} if there is none. */
  readonly status: number;
  /** From the head of the request to the last byte of the response. */
  readonly milliseconds: number;
  /** The bytes sent, including the head of the response. */
  readonly bytes: number;
}

/** The client disconnected before it got a response; proxies use the same status. */
const CLIENT_LEFT = 499;

export type ObserveRequest = (request: EndedRequest) => void;

/** Runs before the request handler, and passes each request on. */
export type Observe = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void;

export interface Observers {
  /** Called for each finished request, except health checks. */
  readonly requests: readonly ObserveRequest[];
  /** Runs the request handler as part of the request's trace. */
  readonly trace?: Observe | undefined;
  /** Whether a request comes over the connection of a trusted proxy, which may name it. */
  readonly isTrusted: (incoming: IncomingMessage) => boolean;
}

/** Probes come every few seconds and say nothing about users. */
const isProbe = ({ url = "" }: IncomingMessage): boolean => /^\/_health(?:\/ready)?(?:\?|$)/.test(url);

/** The bytes that a connection had sent at the end of its last response. */
const sentBefore = new WeakMap<Socket, number>();

/** Counts the bytes of a response, excluding those of earlier responses to pipelined requests. */
const countBytes = ({ socket }: IncomingMessage, outgoing: ServerResponse): (() => number) => {
  const atStart = socket.bytesWritten;
  let bytes: number | undefined;
  const count = (): number => {
    bytes ??= socket.bytesWritten - Math.max(atStart, sentBefore.get(socket) ?? 0);
    sentBefore.set(socket, socket.bytesWritten);
    return bytes;
  };
  // Before Node begins to send the next answer.
  outgoing.prependListener("finish", count);
  return count;
};

export const observeRequests =
  ({ requests, trace, isTrusted }: Observers): Observe =>
  (incoming, outgoing, pass) => {
    const record = beginRecord(incoming, requestIdOf(incoming, isTrusted));
    if (isProbe(incoming)) return pass();
    if (requests.length > 0) {
      const bytesOf = countBytes(incoming, outgoing);
      outgoing.on("close", () => {
        const milliseconds = performance.now() - record.start;
        const status = outgoing.headersSent ? outgoing.statusCode : CLIENT_LEFT;
        const ended = { incoming, outgoing, record, status, milliseconds, bytes: bytesOf() };
        for (const observe of requests) observe(ended);
      });
    }
    if (trace) trace(incoming, outgoing, pass);
    else pass();
  };
