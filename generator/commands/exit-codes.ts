/** Exit codes of `cms`. */
export const exitCodes = {
  fine: 0,
  /** `--check` found files that differ from what would be generated. */
  drift: 1,
  /** The schema files, options or surroundings are wrong: the user can mend it. */
  refused: 2,
  /** A bug of ours. */
  bug: 70,
} as const;

/**
 * A failure that the user can do something about: `cms` prints the message alone, without a stack,
 * and ends with `exitCode`.
 */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** Refuses something for what stands in `lines`, if there is any; `hint` says what to do. */
export const refuseFor = (title: string, lines: readonly string[], ...hint: readonly string[]): void => {
  if (lines.length > 0) throw new CommandError([title, ...lines.map((line) => `  ${line}`), ...hint].join("\n"));
};
