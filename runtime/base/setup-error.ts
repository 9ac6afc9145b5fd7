/**
 * A problem in a project or its environment that the user can fix: an invalid configuration, a port in use, a database
 * that lacks migrations. The message says what is wrong and what to do, so no stack trace is shown.
 */
export class SetupError extends Error {
  override readonly name: string = "SetupError";
}
