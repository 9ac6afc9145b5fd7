/** Observes the requests of a server: gives each its id and its record, and tells others when it has ended. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "./request-id.ts";
import { beginRecord, type RequestRecord } from "./request-record.ts";

/** A request whose answer was sent, or whose client has gone. */
export interface EndedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly record: RequestRecord;
  /** Of the answer; {@link CLIENT_LEFT} where there is none. */
  readonly status: number;
  /** From the head of the request to the last byte of the answer. */
  readonly milliseconds: number;
  /** Sent, with the head of the answer. */
  readonly bytes: number;
}

/** Proxies call it so, too: the client has left before it got an answer. */
const CLIENT_LEFT = 499;

export type ObserveRequest = (request: EndedRequest) => void;

/** Stands before what answers requests, and passes each on. */
export type Observe = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void;

export interface Observers {
  /** Called for each request that has ended, health checks aside. */
  readonly requests: readonly ObserveRequest[];
  /** Runs what answers a request as a part of its trace. */
  readonly trace?: Observe | undefined;
  /** Whether a request comes over the connection of a trusted proxy, which may name it. */
  readonly isTrusted: (incoming: IncomingMessage) => boolean;
}

/** Probes come every few seconds and say nothing of users. */
const isProbe = ({ url = "" }: IncomingMessage): boolean => /^\/_health(?:\/ready)?(?:\?|$)/.test(url);

/** What a connection had sent at the end of its last answer. */
const sentBefore = new WeakMap<Socket, number>();

/** Counts the bytes of an answer. Clients may send the next request before it: what is sent in between is not its own. */
const countBytes = ({ socket }: IncomingMessage, outgoing: ServerResponse): (() => number) => {
  const atStart = socket.bytesWritten;
  let bytes: number | undefined;
  const count = (): number => {
    bytes ??= socket.bytesWritten - Math.max(atStart, sentBefore.get(socket) ?? 0);
    sentBefore.set(socket, socket.bytesWritten);
    return bytes;
  };
  // Before Node begins to send the next answer.
  outgoing.prependOnceListener("finish", count);
  return count;
};

export const observeRequests =
  ({ requests, trace, isTrusted }: Observers): Observe =>
  (incoming, outgoing, pass) => {
    const record = beginRecord(incoming, requestIdOf(incoming, isTrusted));
    if (isProbe(incoming)) return pass();
    if (requests.length > 0) {
      const bytesOf = countBytes(incoming, outgoing);
      outgoing.once("close", () => {
        const milliseconds = performance.now() - record.start;
        const status = outgoing.headersSent ? outgoing.statusCode : CLIENT_LEFT;
        const ended = { incoming, outgoing, record, status, milliseconds, bytes: bytesOf() };
        for (const observe of requests) observe(ended);
      });
    }
    if (trace) trace(incoming, outgoing, pass);
    else pass();
  };
