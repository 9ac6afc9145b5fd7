import { hasCode } from "./error-code.ts";
import { messageOf, traceOf } from "./thrown.ts";

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
