/** The log. It is written to standard output; if nobody reads that, or the disk is full, the process keeps running. */
import { writeSync } from "node:fs";
import { inspect } from "node:util";
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { isRecord } from "./is-record.ts";
import { hasCode } from "./thrown.ts";

/** Buffered characters at which the buffer is flushed. */
const ENOUGH = 32_768;

/** Most bytes that may wait for a reader or for disk space; further lines are dropped and counted. */
const MOST = 1_000_000;

/** Most milliseconds that a line stays buffered. */
const LONGEST_WAIT = 200;

/** How many times an exiting process tries to flush, and the milliseconds between attempts. */
const LAST = { attempts: 20, pause: 50 };

/** Opens it; the returned function takes a line, and whether to write it at once. */
const openStandardOutput = (): ((line: string, isUrgent: boolean) => void) => {
  let lines = "";
  let rest = Buffer.alloc(0);
  let lost = 0;
  let isRead = true;
  /** Flushes as much as possible now; returns whether anything is left. */
  const flush = (): boolean => {
    if (lines !== "") rest = rest.length === 0 ? Buffer.from(lines) : Buffer.concat([rest, Buffer.from(lines)]);
    lines = "";
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      isRead = !hasCode(error, "EPIPE");
    }
    if (rest.length === 0 && lost > 0) {
      const time = new Date().toISOString();
      lines = `${JSON.stringify({ level: 40, time, lines: lost, msg: "lines of the log are lost" })}\n`;
      lost = 0;
    }
    return isRead && lines.length + rest.length > 0;
  };
  setInterval(flush, LONGEST_WAIT).unref();
  process.once("exit", () => {
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (let attempt = 0; attempt < LAST.attempts && flush(); attempt += 1) Atomics.wait(never, 0, 0, LAST.pause);
  });
  return (line, isUrgent) => {
    if (!isRead || rest.length > MOST) lost += 1;
    else lines += line;
    if (isRead && (isUrgent || lines.length >= ENOUGH)) flush();
  };
};

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

/** The members of an object other than an error, without secrets; getters are not called. */
const membersOf = (thrown: object): object =>
  Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(thrown)).map(([name, { value }]): [string, unknown] => [
      name,
      secrets.includes(name) ? "[Redacted]" : value,
    ]),
  );

/** A thrown value other than an error, as text. Nested objects are left out, since they may contain users' data. */
const describeOther = (thrown: unknown): LoggedError => {
  const shown = isRecord(thrown) ? membersOf(thrown) : thrown;
  return { type: typeof thrown, message: typeof shown === "string" ? shown : inspect(shown, { depth: 0 }) };
};

/**
 * The parts of an error to log. Other members are left out: database drivers attach the statement and its parameters,
 * which contain users' data.
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

let second = 0;
let secondText = "";

/** As pino's own function. It formats only what has changed, since formatting an instant took a fifth of a line's time. */
const isoTime = (): string => {
  const now = Date.now();
  const begun = now - (now % 1000);
  if (begun !== second) secondText = new Date(begun).toISOString().slice(0, -4);
  second = begun;
  return `,"time":"${secondText}${String(now - begun).padStart(3, "0")}Z"`;
};

interface LogOptions {
  readonly level: LevelWithSilent;
  /** Whether members with such names are removed; true by default. */
  readonly redacts?: boolean;
}

/** The message of request lines, which arrive in bulk and may be buffered. */
export const REQUEST_LINE = "request";

/**
 * Standard output. A system call costs three times as much as the line it writes, so request lines are buffered and
 * written together. Any other line is written at once, after whatever is buffered.
 */
const toStandardOutput = (): DestinationStream => {
  const write = openStandardOutput();
  const stream: DestinationStream & { lastMsg?: string } = {
    write: (line) => write(line, stream.lastMsg !== REQUEST_LINE),
  };
  return Object.assign(stream, { [Symbol.for("pino.metadata")]: true });
};

let standardOutput: DestinationStream | undefined;

/** Logs JSON lines of `level` and above to `destination` (stdout by default). */
export const createLogger = ({ level, redacts = true }: LogOptions, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: redacts ? redact : [],
      // A serializer would not be called for undefined, which code may also throw.
      formatters: { log: (record) => ("err" in record ? { ...record, err: describeError(record["err"]) } : record) },
      serializers: { err: (described: unknown) => described },
      timestamp: isoTime,
    },
    destination ?? (standardOutput ??= toStandardOutput()),
  );
