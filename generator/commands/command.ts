/** Types that commands are made of. */
import type { Command } from "commander";
import type { ProjectSource } from "../../runtime/app/project.ts";

/** Where commands find a project. */
export interface CommandSource extends ProjectSource {
  /** The version of galley-cms. */
  readonly version: string;
  /** Records which migrations some database has, for whoever generates the next one here. A build has none. */
  readonly memory?: {
    /** @param folder the folder with the migration files */
    applied(names: readonly string[], folder: string): void;
    undone(names: readonly string[]): void;
  };
  /**
   * Writes a migration with hand-written SQL to a new folder of `migrations` and returns that folder. A build has none.
   */
  writeMigration?(
    migrations: string,
    title: string,
    sql: { readonly up: string; readonly down: string },
  ): Promise<string>;
}

/** The project in `root`, an absolute path. */
export type SourceOf = (root: string) => CommandSource | Promise<CommandSource>;

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
