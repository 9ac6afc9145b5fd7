/** Logs one line for each answered request. */
import type { Roles } from "../accounts/roles/roles.ts";
import { type Logger, REQUEST_LINE } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { ObserveRequest } from "./observe.ts";
import type { RequestRecord } from "./request-record.ts";

export interface RequestLogOptions {
  readonly config: Pick<Config, "logger">;
  readonly log: Logger;
  readonly roles: Pick<Roles, "all">;
  /** Whether to leave out paths, which may contain what users send. */
  readonly production: boolean;
}

/** Rounds to hundredths: anything finer is noise. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Creates the observer that logs finished requests; undefined if none are logged. */
export const requestLog = ({ config, log, roles, production }: RequestLogOptions): ObserveRequest | undefined => {
  const { requests } = config.logger;
  if (requests === false || !log.isLevelEnabled("info")) return undefined;
  // No field of a line is secret, and redaction would cost five times as much as the line itself.
  const lines = log.child({}, { redact: [] });
  const roleOf = ({ caller }: RequestRecord): string | undefined =>
    caller?.roleId === undefined ? undefined : roles.all().find(({ id }) => id === caller.roleId)?.type;

  return ({ incoming, outgoing, record, status, milliseconds, bytes }) => {
    if (requests === "errors" && status < 500) return;
    lines.info(
      {
        requestId: record.id,
        method: incoming.method,
        route: record.route,
        path: production || record.route !== undefined ? undefined : incoming.url?.split("?", 1)[0],
        status,
        milliseconds: rounded(milliseconds),
        statements: record.statements,
        bytes,
        cache: record.isHit ? "hit" : undefined,
        caller: record.caller?.kind,
        role: roleOf(record),
        aborted: outgoing.writableFinished ? undefined : true,
      },
      REQUEST_LINE,
    );
  };
};
