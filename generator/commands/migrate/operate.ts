/** The part of `cms migrate` that works on the database: applies, shows and undoes migrations. */
import type { Command, OptionValues } from "commander";
import type { SourceOf } from "../command.ts";
import { CommandError } from "../exit-codes.ts";
import { rootOf } from "../global-options.ts";
import type { DownFlags, MigrateFlags } from "./run.ts";

const HELP = `
Examples:
  $ cms migrate                    apply everything that is pending
  $ cms migrate --dry-run          print the SQL that would run
  $ cms migrate status             show what is applied and what is pending
  $ cms migrate down               undo the last one`;

/**
 * The flags of a subcommand. Commander assigns flags that the parent also has to the parent, wherever they stand: take
 * them from there, and refuse those that the subcommand does not know instead of ignoring them.
 */
export const flagsOf = <Flags>(own: Command): Flags => {
  const given = own.parent?.opts() ?? {};
  for (const option of own.parent?.options ?? []) {
    const isKnown = own.options.some(({ long }) => long === option.long);
    if (isKnown || given[option.attributeName()] === undefined) continue;
    throw new CommandError(`"cms migrate ${own.name()}" has no option ${option.long}`);
  }
  return own.optsWithGlobals<Flags & OptionValues>();
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--to <name>", "stop after this migration")
    .option("--dry-run", "print what would run, and change nothing")
    .option("--ignore-drift", "continue even if the database was changed by hand")
    .addHelpText("after", HELP)
    .action(async (flags: MigrateFlags) => {
      const { runMigrate } = await import("./run.ts");
      await runMigrate(await sourceOf(rootOf(command)), flags);
    });
  command
    .command("status")
    .description("show what is applied, what is pending, and whether the database drifted")
    .action(async (_flags: unknown, own: Command) => {
      flagsOf(own);
      const { runStatus } = await import("./run.ts");
      process.exitCode = await runStatus(await sourceOf(rootOf(command)));
    });
  command
    .command("down")
    .description("undo the last applied migration")
    .option("--to <name>", "undo all that were applied after this one")
    .option("--dry-run", "print what would run, and change nothing")
    .option("--allow-loss", "undo even if content is lost, such as values in columns that the migration added")
    .action(async (_flags: unknown, own: Command) => {
      const { runDown } = await import("./run.ts");
      await runDown(await sourceOf(rootOf(command)), flagsOf<DownFlags>(own));
    });
};
