/** One line of the log for each answered request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Roles } from "../accounts/roles/roles.ts";
import { type Logger, REQUEST_LINE } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { requestIdOf } from "./request-id.ts";
import { beginRecord, type RequestRecord } from "./request-record.ts";

/** Called for each request before anything answers it. */
export type Observe = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface RequestLogOptions {
  readonly config: Pick<Config, "logger">;
  readonly log: Logger;
  readonly roles: Pick<Roles, "all">;
  /** Whether a request comes over the connection of a trusted proxy, which may name it. */
  readonly isTrusted: (incoming: IncomingMessage) => boolean;
}

/** Probes come every few seconds and say nothing of users. */
const isProbe = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/_health");

/** Thousandths of a millisecond are noise. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Creates what gives each request its record, and logs it when its answer is sent or its client has gone. */
export const observeRequests = ({ config, log, roles, isTrusted }: RequestLogOptions): Observe => {
  const { requests } = config.logger;
  // No field of a line is secret, and looking for secrets would cost five times what the line does.
  const lines = log.child({}, { redact: [] });
  const roleOf = ({ caller }: RequestRecord): string | undefined =>
    caller?.roleId === undefined ? undefined : roles.all().find(({ id }) => id === caller.roleId)?.type;
  const isLogged = (status: number): boolean => requests === "all" || status >= 500;

  const write = (incoming: IncomingMessage, outgoing: ServerResponse, record: RequestRecord, sent: number): void => {
    const { statusCode: status, writableFinished } = outgoing;
    if (!isLogged(status)) return;
    lines.info(
      {
        requestId: record.id,
        method: incoming.method,
        route: record.route,
        status,
        milliseconds: rounded(performance.now() - record.start),
        bytes: incoming.socket.bytesWritten - sent,
        cache: record.isHit ? "hit" : undefined,
        caller: record.caller?.kind,
        role: roleOf(record),
        aborted: writableFinished ? undefined : true,
      },
      REQUEST_LINE,
    );
  };

  return (incoming, outgoing) => {
    const record = beginRecord(incoming, requestIdOf(incoming, isTrusted));
    if (requests === false || !log.isLevelEnabled("info") || isProbe(incoming)) return;
    const sent = incoming.socket.bytesWritten;
    outgoing.once("close", () => write(incoming, outgoing, record, sent));
  };
};
