/** Exit codes of `cms`. */
export const exitCodes = {
  fine: 0,
  /** `--check` found files that differ from what would be generated. */
  drift: 1,
  /** The schema files, options or environment are wrong; the user can fix it. */
  refused: 2,
  /** A bug in Galley. */
  bug: 70,
} as const;

/**
 * A failure that the user can fix: `cms` prints only the message, without a stack trace, and exits with `exitCode`.
 */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** Refuses to continue if `lines` has any reasons; `hint` says what to do. */
export const refuseFor = (title: string, lines: readonly string[], ...hint: readonly string[]): void => {
  if (lines.length > 0) throw new CommandError([title, ...lines.map((line) => `  ${line}`), ...hint].join("\n"));
};
