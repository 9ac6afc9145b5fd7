/** Observes the requests of a server: gives each its id and its record, and tells others when it has ended. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOf } from "./request-id.ts";
import { beginRecord, type RequestRecord } from "./request-record.ts";

/** A request whose answer was sent, or whose client has gone. */
export interface EndedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly record: RequestRecord;
  /** From the head of the request to the last byte of the answer. */
  readonly milliseconds: number;
  /** Sent, with the head of the answer. */
  readonly bytes: number;
}

export type ObserveRequest = (request: EndedRequest) => void;

/** Passes a request on, and runs what answers it as a part of the request's trace. */
export type TraceRequest = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void;

/** Stands before everything that answers requests. */
export type Observe = TraceRequest;

export interface Observers {
  /** Called for each request that has ended, health checks aside. */
  readonly requests: readonly ObserveRequest[];
  readonly trace?: TraceRequest | undefined;
  /** Whether a request comes over the connection of a trusted proxy, which may name it. */
  readonly isTrusted: (incoming: IncomingMessage) => boolean;
}

/** Probes come every few seconds and say nothing of users. */
const isProbe = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/_health");

export const observeRequests =
  ({ requests, trace, isTrusted }: Observers): Observe =>
  (incoming, outgoing, pass) => {
    const record = beginRecord(incoming, requestIdOf(incoming, isTrusted));
    if (isProbe(incoming)) return pass();
    if (requests.length > 0) {
      const sent = incoming.socket.bytesWritten;
      outgoing.once("close", () => {
        const milliseconds = performance.now() - record.start;
        const ended = { incoming, outgoing, record, milliseconds, bytes: incoming.socket.bytesWritten - sent };
        for (const observe of requests) observe(ended);
      });
    }
    if (trace) trace(incoming, outgoing, pass);
    else pass();
  };
