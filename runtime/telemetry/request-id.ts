/** Identifies requests, so that the log lines of one request can be found. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The ids that a proxy may give: nothing that a log or a header would have to escape. */
const PLAIN = /^[\w.:+/=-]{1,128}$/;

/**
 * The value of `X-Request-Id` that a trusted proxy sends, or a random one.
 *
 * @param isTrusted whether a request comes over the connection of a trusted proxy
 */
export const requestIdOf = (incoming: IncomingMessage, isTrusted: (incoming: IncomingMessage) => boolean): string => {
  const sent = incoming.headers["x-request-id"];
  return typeof sent === "string" && PLAIN.test(sent) && isTrusted(incoming) ? sent : randomUUID();
};
