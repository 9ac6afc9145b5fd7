/** What errors of the two drivers mean. */
import { ServiceUnavailableError, ValidationError } from "../base/errors.ts";
import type { DatabaseFault } from "./database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Connection lost or refused, server shutting down or out of connections. */
const LOST =
  /^(08...|57P0[1-5]|25P0[34]|53300|ABORT_ERR|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|CONNECTION_.*|CONNECT_TIMEOUT)$/;

/** What PostgreSQL refuses for reasons that pass, by SQLSTATE: the same statement may succeed later. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/^55P03$/, "Others hold what this needs; try again"],
  [/^(40001|40P01)$/, "This got in the way of others; try again"],
  [/^57014$/, "The database took too long"],
  [/^25006$/, "The database takes no writes at the moment"],
  [/^(53|58)...$/, "The database is not available"],
];

/** Undefined where the error is not one that passes. */
const messageOf = (code: string): string | undefined =>
  LOST.test(code) ? "The database is not available" : PASSING.find(([codes]) => codes.test(code))?.[1];

const member = (error: object, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "string") return value;
  }
  return undefined;
};

/** What PostgreSQL said about a statement that it refused; undefined for any other error. */
export const faultOf = (error: unknown): DatabaseFault | undefined => {
  if (error instanceof ServiceUnavailableError) return faultOf(error.cause);
  if (typeof error !== "object" || error === null) return undefined;
  const code = member(error, "code");
  if (code === undefined || !SQLSTATE.test(code) || member(error, "severity", "severity_local") === undefined)
    return undefined;
  const constraint = member(error, "constraint_name", "constraint");
  const table = member(error, "table_name", "table");
  const column = member(error, "column_name", "column");
  const detail = member(error, "detail");
  return {
    code,
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    ...(column === undefined ? {} : { column }),
    ...(detail === undefined ? {} : { detail }),
  };
};

/**
 * What to answer when PostgreSQL cannot take a value (SQLSTATE class 22), such as text with a NUL in it; undefined for
 * any other error.
 */
export const refusedValue = (error: unknown): ValidationError | undefined =>
  faultOf(error)?.code.startsWith("22")
    ? new ValidationError("The request holds a value that cannot be used")
    : undefined;

/** What others did meanwhile is in the way of a transaction: it can run again, from its start. */
export class RunAgainError extends ServiceUnavailableError {}

/** A statement was ended in place of another one: it has done nothing. */
export class MistakenError extends RunAgainError {}

/** The tables are not what they were when a statement was prepared. */
export class TablesChangedError extends RunAgainError {}

/**
 * Whether a statement that failed with `error` may have failed for what changed since it was prepared: a plan or its
 * parameters fit the table no more, or a pooler has passed it to where it never was prepared.
 */
export const mayBeOutdated = (error: unknown): boolean => /^(0A000|26000|42...)$/.test(faultOf(error)?.code ?? "");

/** Whether PostgreSQL has ended a statement: it took too long, or somebody said so. */
export const isEnded = (error: unknown): boolean => faultOf(error)?.code === "57014";

/** Whether the transaction that failed with `error` can simply run again. */
export const canRunAgain = (error: unknown): boolean =>
  error instanceof RunAgainError || /^(40P01|40001)$/.test(faultOf(error)?.code ?? "");

/** Turns what passes into the error that clients get, with its cause; every other error stays what it is. */
export const translate = (error: unknown): unknown => {
  if (typeof error !== "object" || error === null || error instanceof ServiceUnavailableError) return error;
  const message = messageOf(member(error, "code") ?? "");
  return message === undefined ? error : Object.assign(new ServiceUnavailableError(message), { cause: error });
};
