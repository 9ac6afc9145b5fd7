/**
 * Thrown values: the errors of projects and systems, and how to describe what the code of a project throws, which may
 * be anything: a string, undefined, an object without a prototype.
 */
import { inspect } from "node:util";

const wordsOf = (thrown: unknown): string =>
  typeof thrown === "string" ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });

/** The message of an error; other values as text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.message === "string" ? thrown.message : wordsOf(thrown);

/** An error with its stack trace; other values as text. */
export const traceOf = (thrown: unknown): string =>
  thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : messageOf(thrown);

/**
 * A problem in a project or its environment that the user can fix: an invalid configuration, a port in use, a database
 * that lacks migrations. The message says what is wrong and what to do, so no stack trace is shown.
 */
export class SetupError extends Error {
  override readonly name: string = "SetupError";
}

/** Whether an error has this code: a system one such as `ENOENT`, or one of Node.js's own. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** File system errors that the user can fix: missing permissions, or a read-only file system. */
const FILE_FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);
/** Errors for a lack of space. A failed write does not name its file. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error says that a file may not be read or written, or that there is no space for it. */
export const isFileFault = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (FULL.has(error.code) || (FILE_FAULTS.has(error.code) && "path" in error));

/** How to fix a missing package. */
export const notInstalled = (name: string): string =>
  `the package "${name}" is not installed. Run "npm install" if package.json names it, or else "npm install ${name}".`;

/** The same for a failed import; undefined for any other error of loading a module. */
const missingPackage = (error: unknown): string | undefined => {
  if (!hasCode(error, "ERR_MODULE_NOT_FOUND")) return undefined;
  const name = /^Cannot find package '([^']+)'/.exec(messageOf(error))?.[1];
  return name === undefined ? undefined : notInstalled(name);
};

/** Why a module could not be loaded, with the fix or else the stack trace. */
export const loadFailureOf = (error: unknown): string => missingPackage(error) ?? traceOf(error);

/** Why a module could not be loaded, without a stack trace. */
export const loadFailureInShort = (error: unknown): string => missingPackage(error) ?? messageOf(error);

/** An invalid configuration; the message names the file, the key and the problem. */
export class ConfigError extends SetupError {
  override readonly name = "ConfigError";
}
