/** Interprets errors of the two database drivers. */
import { DrizzleQueryError } from "drizzle-orm";
import { type ErrorDetails, ServiceUnavailableError, ValidationError } from "../base/errors.ts";
import type { DatabaseFault } from "./database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Errors for a lost or refused connection or login, or a server that shuts down or has no free connections. */
const LOST =
  /^(08...|28...|3D000|57P0[1-5]|25P0[34]|53300|ABORT_ERR|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|CONNECTION_.*|CONNECT_TIMEOUT)$/;

/** 503: the database cannot be reached, or does not answer. */
export class DatabaseLostError extends ServiceUnavailableError {}

/** Temporary errors of PostgreSQL by SQLSTATE, with their messages: the same statement may succeed later. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/^55P03$/, "Others hold what this needs; try again"],
  [/^(40001|40P01)$/, "This got in the way of others; try again"],
  [/^57014$/, "The database took too long"],
  [/^25006$/, "The database takes no writes at the moment"],
  [/^(53|58)...$/, "The database is not available"],
];

/** The error for a temporary error of PostgreSQL; undefined for other codes. */
const unavailable = (code: string): ServiceUnavailableError | undefined => {
  if (LOST.test(code)) return new DatabaseLostError("The database is not available");
  const message = PASSING.find(([codes]) => codes.test(code))?.[1];
  return message === undefined ? undefined : new ServiceUnavailableError(message);
};

const member = (error: object, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "string") return value;
  }
  return undefined;
};

/**
 * 400: a constraint, trigger or policy of the project refuses a write. The cause is the database's error, whose texts
 * may contain values that the client must not see.
 */
export class RefusedError extends ValidationError {
  constructor(message: string, details: ErrorDetails, cause: unknown) {
    super(message, details);
    this.cause = cause;
  }
}

/** The error itself, if Drizzle has wrapped it because a statement of the project's `db` failed. */
export const unwrapped = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error);

/** The details of an error that PostgreSQL raised for a statement; undefined for any other error. */
export const faultOf = (error: unknown): DatabaseFault | undefined => {
  if (error instanceof ServiceUnavailableError || error instanceof RefusedError || error instanceof DrizzleQueryError)
    return faultOf(error.cause);
  if (typeof error !== "object" || error === null) return undefined;
  const code = member(error, "code");
  if (code === undefined || !SQLSTATE.test(code) || member(error, "severity", "severity_local") === undefined)
    return undefined;
  return {
    code,
    constraint: member(error, "constraint_name", "constraint"),
    table: member(error, "table_name", "table"),
    column: member(error, "column_name", "column"),
    detail: member(error, "detail"),
  };
};

/**
 * The error to respond with when PostgreSQL cannot store a value (SQLSTATE class 22), such as text with a NUL
 * character; undefined for any other error.
 */
export const refusedValue = (error: unknown): ValidationError | undefined =>
  faultOf(error)?.code.startsWith("22")
    ? new ValidationError("The request holds a value that cannot be used")
    : undefined;

/**
 * Constraints that are violated (not null, foreign key, unique, check, exclusion, and those that triggers name), and
 * `raise exception` without a code.
 */
const REFUSED = /^(23...|P0001)$/;

/** Whether a constraint or trigger refused a statement. */
export const isRefused = (error: unknown): boolean => REFUSED.test(faultOf(error)?.code ?? "");

/** Recognizes the error for a text that a statement casts to a number in order to fail: the error quotes it. */
const quotes =
  (text: string) =>
  (error: unknown): boolean =>
    faultOf(error)?.code === "22P02" && error instanceof Error && error.message.includes(text);

/** The text for a row that was not stored. */
export const NOT_STORED = "galley: not stored";

/** Whether a statement failed because the database skipped rows that it was to store or delete. */
export const isNotStored = quotes(NOT_STORED);

/** The same, if a row does not meet the rules of the caller. */
export const NOT_ALLOWED = "galley: not allowed";

/** Whether a statement failed because a rule of the caller does not hold. */
export const isNotAllowed = quotes(NOT_ALLOWED);

/** The transaction conflicted with another one: it can be run again from its start. */
export class RunAgainError extends ServiceUnavailableError {}

/** The tables have changed since a statement was prepared. */
export class TablesChangedError extends RunAgainError {}

/**
 * Whether `error` may come from a prepared statement that is no longer valid: its plan or parameters do not fit the
 * changed table, or a pooler sent it to a server on which it was never prepared.
 */
export const mayBeOutdated = (error: unknown): boolean => /^(0A000|26000|42...)$/.test(faultOf(error)?.code ?? "");

/** Whether PostgreSQL cancelled a statement, because of its time limit or on request. */
export const isEnded = (error: unknown): boolean => faultOf(error)?.code === "57014";

/** Whether the server does not have a function that was called. */
export const lacksFunction = (error: unknown): boolean => faultOf(error)?.code === "42883";

/** Whether the transaction that failed with `error` can be run again. */
export const canRunAgain = (error: unknown): boolean =>
  unwrapped(error) instanceof RunAgainError || /^(40P01|40001)$/.test(faultOf(error)?.code ?? "");

/**
 * Turns temporary errors into the error that clients get, with the original as its cause; returns other errors
 * unchanged.
 */
export const translate = (error: unknown): unknown => {
  if (typeof error !== "object" || error === null || error instanceof ServiceUnavailableError) return error;
  const translated = unavailable(member(error, "code") ?? "");
  return translated ? Object.assign(translated, { cause: error }) : error;
};
