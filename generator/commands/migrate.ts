/** `cms migrate`: applies, shows and undoes migrations; ends merges and starts hand-written migrations. */
import type { Command } from "commander";
import type { SourceOf } from "./command.ts";
import { rootOf } from "./global-options.ts";
import { configure as configureOperation, flagsOf } from "./migrate/operate.ts";
import type { RebaseFlags } from "./migrate/rebase.ts";
import type { ResetFlags } from "./migrate/reset.ts";
import type { SquashFlags } from "./migrate/squash.ts";
import { parseMigrationName } from "./options.ts";

/** Continues the examples of the commands that operate on a database. */
const HELP = `\
  $ cms migrate squash             combine the migrations of this branch into one
  $ cms migrate new add_search     write an empty migration for SQL of your own`;

export const configure = (command: Command, sourceOf: SourceOf): void => {
  configureOperation(command, sourceOf);
  command.addHelpText("after", HELP);
  command
    .command("rebase")
    .description("finish a merge: regenerate files, and put the branch's migrations after those of main")
    .option("--allow <loss...>", "let the new migration lose data, such as drop:article.subtitle")
    .action(async (_flags: unknown, own: Command) => {
      const { runRebase } = await import("./migrate/rebase.ts");
      await runRebase(rootOf(command), flagsOf<RebaseFlags>(own));
    });
  command
    .command("squash")
    .description("combine the migrations that only this branch has into one")
    .option("--from <name>", "the first migration to combine")
    .option("--name <name>", "its name, such as add_hero", parseMigrationName)
    .action(async (_flags: unknown, own: Command) => {
      const { runSquash } = await import("./migrate/squash.ts");
      await runSquash(rootOf(command), flagsOf<SquashFlags>(own));
    });
  command
    .command("reset")
    .description("empty a development database and apply all migrations")
    .option("--allow-loss", "delete existing content")
    .option("--database <name>", "name of the database, if it is on another machine")
    .action(async (_flags: unknown, own: Command) => {
      const { runReset } = await import("./migrate/reset.ts");
      await runReset(rootOf(command), flagsOf<ResetFlags>(own));
    });
  command
    .command("new <name>")
    .description("write an empty migration for SQL of your own")
    .action(async (name: string, _flags: unknown, own: Command) => {
      flagsOf(own);
      const { runNew } = await import("./migrate/new.ts");
      await runNew(rootOf(command), name);
    });
};
