/** A client's records of its connections: enough to explain why one ended without an answer. */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The last answer on a connection, and when it ended. */
interface Past {
  readonly last: string;
  readonly at: number;
}

const pasts = new WeakMap<Socket, Past>();

/** Records a complete answer on `socket`, which the message has released by then. */
export const noteAnswer = (socket: Socket, { statusCode, headers }: IncomingMessage): void => {
  pasts.set(socket, {
    last: `${statusCode} with connection: ${headers.connection ?? "nothing"}`,
    at: performance.now(),
  });
};

/** Rounded to powers of ten, so that reports can group similar cases. */
const roughly = (milliseconds: number): string => {
  const limit = [1, 10, 100, 1000, 10_000].find((each) => milliseconds < each);
  return limit === undefined ? "more than 10 s" : `less than ${limit} ms`;
};

/**
 * The server's last answer on the connection of a request that began at `began`, and how long it had been idle then.
 */
const historyOf = (socket: Socket, began: number): string => {
  const past = pasts.get(socket);
  if (!past) return "a new connection";
  return `a connection reused ${roughly(began - past.at)} after ${past.last}`;
};

/** Why a request that began at `began` has no answer, as far as its client knows. */
export const causeOf = (error: Error, sent: ClientRequest, began: number, begun?: IncomingMessage): string => {
  const { socket } = sent;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.message;
  if (!socket) return `${code} before there was a connection`;
  const written = sent.writableFinished ? "written whole" : "not written whole";
  const answer = begun ? `, ${begun.statusCode} begun` : "";
  return `${code} on ${historyOf(socket, began)}; the request was ${written}${answer}, ${roughly(performance.now() - began)} before`;
};
