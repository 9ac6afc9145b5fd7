/** What errors of the two drivers mean. */
import { ServiceUnavailableError, ValidationError } from "../base/errors.ts";
import type { DatabaseFault } from "./database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Connection lost or refused, server shutting down or out of connections. */
const LOST =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|CONNECTION_.*|CONNECT_TIMEOUT)$/;

const member = (error: object, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "string") return value;
  }
  return undefined;
};

/** What PostgreSQL said about a statement that it refused; undefined for any other error. */
export const faultOf = (error: unknown): DatabaseFault | undefined => {
  if (typeof error !== "object" || error === null) return undefined;
  const code = member(error, "code");
  if (code === undefined || !SQLSTATE.test(code) || member(error, "severity") === undefined) return undefined;
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

/** Turns a lost connection into the error that clients get, with its cause; every other error stays what it is. */
export const translate = (error: unknown): unknown => {
  const code = typeof error === "object" && error !== null ? member(error, "code") : undefined;
  if (code === undefined || !LOST.test(code)) return error;
  const unavailable = new ServiceUnavailableError("The database is not available");
  unavailable.cause = error;
  return unavailable;
};
