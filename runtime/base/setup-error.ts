/**
 * Something about a project or its surroundings that its user can put right: a wrong configuration, a busy port,
 * a database that is behind. The message says what and how; no stack is needed to understand it.
 */
export class SetupError extends Error {
  override readonly name: string = "SetupError";
}
