/** `cms migrate`: applies migrations, shows and undoes them. Loads nothing that makes them. */
import type { Command } from "commander";
import { rootOf } from "./global-options.ts";
import type { RebaseFlags } from "./migrate/rebase.ts";
import type { DownFlags, MigrateFlags } from "./migrate/run.ts";

const HELP = `
Examples:
  $ cms migrate                    apply everything that is pending
  $ cms migrate --dry-run          print the SQL that would run
  $ cms migrate status             show what is applied and what is pending
  $ cms migrate down               undo the last one
  $ cms migrate new add_search     write an empty migration for SQL of your own`;

export const configure = (command: Command): void => {
  command
    .option("--to <name>", "stop after this migration")
    .option("--dry-run", "print what would run, and change nothing")
    .option("--ignore-drift", "go on although the database was changed by hand")
    .addHelpText("after", HELP)
    .action(async (flags: MigrateFlags) => {
      const { runMigrate } = await import("./migrate/run.ts");
      await runMigrate(rootOf(command), flags);
    });
  command
    .command("status")
    .description("show what is applied, what is pending, and whether the database drifted")
    .action(async () => {
      const { runStatus } = await import("./migrate/run.ts");
      process.exitCode = await runStatus(rootOf(command));
    });
  command
    .command("down")
    .description("undo the migration that was applied last")
    .option("--to <name>", "undo all that were applied after this one")
    .action(async (flags: DownFlags) => {
      const { runDown } = await import("./migrate/run.ts");
      await runDown(rootOf(command), flags);
    });
  command
    .command("rebase")
    .description("make the later of two migrations from different branches anew on top of the other")
    .option("--allow <loss...>", "let the new migration lose data, such as drop:articles.subtitle")
    .action(async (flags: RebaseFlags) => {
      const { runRebase } = await import("./migrate/rebase.ts");
      await runRebase(rootOf(command), flags);
    });
  command
    .command("new <name>")
    .description("write an empty migration for SQL of your own")
    .action(async (name: string) => {
      const { runNew } = await import("./migrate/new.ts");
      await runNew(rootOf(command), name);
    });
};
