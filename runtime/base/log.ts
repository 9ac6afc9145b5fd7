import { inspect } from "node:util";
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { isRecord } from "./is-record.ts";
import { openStandardOutput } from "./standard-output.ts";

export type { Logger } from "pino";

/** Names of members that are never logged, at any depth of an object. */
const secrets = ["password", "currentPassword", "passwordConfirmation", "code", "jwt", "refreshToken", "authorization"];
const redact = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly errorCode?: string;
  readonly cause?: LoggedError;
}

/** The members of an object that is no error, without secrets; getters are not called. */
const membersOf = (thrown: object): object =>
  Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(thrown)).map(([name, { value }]): [string, unknown] => [
      name,
      secrets.includes(name) ? "[Redacted]" : value,
    ]),
  );

/** A thrown value that is no error, as text. Objects in objects are left out, since they may contain users' data. */
const describeOther = (thrown: unknown): LoggedError => {
  const shown = isRecord(thrown) ? membersOf(thrown) : thrown;
  return { type: typeof thrown, message: typeof shown === "string" ? shown : inspect(shown, { depth: 0 }) };
};

/**
 * The parts of an error to log. Other members are left out: database drivers store the statement and its parameters
 * there, which contain users' data.
 */
const describeError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error)) return describeOther(error);
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

/** The message of lines that may wait for others: one a request, of which many come at once. */
export const REQUEST_LINE = "request";

/**
 * Standard output. A call of the system for each line costs three times what the line does, so lines of requests are
 * written several at a time; all others at once, with what waits before them.
 */
const toStandardOutput = (): DestinationStream => {
  const write = openStandardOutput();
  const stream: DestinationStream & { lastMsg?: string } = {
    write: (line) => write(line, stream.lastMsg !== REQUEST_LINE),
  };
  return Object.assign(stream, { [Symbol.for("pino.metadata")]: true });
};

let standardOutput: DestinationStream | undefined;

/** JSON lines on `destination` (stdout by default), from `level` on. */
export const createLogger = ({ level, redacts = true }: LogOptions, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: redacts ? redact : [],
      // A serializer would not be called for undefined, which code may throw, too.
      formatters: { log: (record) => ("err" in record ? { ...record, err: describeError(record["err"]) } : record) },
      serializers: { err: (described: unknown) => described },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? (standardOutput ??= toStandardOutput()),
  );
