/** Logs slow statements. */
import type { Logger } from "../base/log.ts";
import type { ObserveStatement } from "./statements.ts";

/** Most characters of a statement in a log line. */
const LONGEST_TEXT = 2000;

/** Milliseconds between two lines: when the database is busy, all statements are slow, and one line is enough. */
const PAUSE = 1000;

/** Creates the observer that logs statements of `limit` milliseconds or more, with what they ran for. */
export const logSlowStatements = (log: Logger, limit: number): ObserveStatement => {
  let last = -PAUSE;
  let untold = 0;
  return ({ sql, milliseconds, client }) => {
    if (milliseconds < limit) return;
    const now = performance.now();
    if (now - last < PAUSE) return void (untold += 1);
    log.warn(
      {
        requestId: client?.request?.id,
        route: client?.request?.route,
        milliseconds: Math.round(milliseconds),
        statement: sql.slice(0, LONGEST_TEXT),
        others: untold === 0 ? undefined : untold,
      },
      "a slow statement",
    );
    last = now;
    untold = 0;
  };
};
