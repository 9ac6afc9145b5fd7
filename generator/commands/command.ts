/** What the commands of a program are made of. */
import type { Command } from "commander";
import type { ProjectSource } from "../../runtime/app/project.ts";

/** The project whose folder is `root`, which is an absolute path. */
export type SourceOf = (root: string) => ProjectSource | Promise<ProjectSource>;

/** What a command's file exports. */
export interface CommandModule {
  /** Adds arguments, options, subcommands and the action to the command that has this entry's name. */
  configure(command: Command, sourceOf: SourceOf): void;
}

export interface CommandEntry {
  readonly name: string;
  /** One line for `cms --help`. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}
