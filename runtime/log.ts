import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.ts";

export type { Logger } from "pino";

/** What never reaches a log, wherever in an object it stands. */
const secrets = ["password", "currentPassword", "passwordConfirmation", "code", "jwt", "refreshToken", "authorization"];
const redact = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** JSON lines on `destination` (stdout by default), at the level of the configuration. */
export const createLogger = (config: Config["logger"], destination?: DestinationStream): Logger =>
  pino(
    { level: config.level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination(1),
  );
