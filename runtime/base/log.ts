import pino, { type DestinationStream, type LevelWithSilent, type Logger } from "pino";

export type { Logger } from "pino";

/** Names of members that are never logged, at any depth of an object. */
const secrets = ["password", "currentPassword", "passwordConfirmation", "code", "jwt", "refreshToken", "authorization"];
const redact = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly errorCode?: string;
  readonly cause?: LoggedError | string;
}

/**
 * The parts of an error to log. Other members are left out: database drivers store the statement and its parameters
 * there, which contain users' data.
 */
const describeError = (error: unknown, depth = 0): LoggedError | string => {
  if (!(error instanceof Error)) return typeof error === "string" ? error : typeof error;
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...("code" in error && typeof error.code === "string" ? { errorCode: error.code } : {}),
    ...(cause === undefined || depth > 4 ? {} : { cause: describeError(cause, depth + 1) }),
  };
};

interface LogOptions {
  readonly level: LevelWithSilent;
  /** Whether members with such names are removed; true by default. */
  readonly redacts?: boolean;
}

/** JSON lines on `destination` (stdout by default), from `level` on. */
export const createLogger = ({ level, redacts = true }: LogOptions, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: redacts ? redact : [],
      serializers: { err: (error: unknown) => describeError(error) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination(1),
  );
