/** A command-line program. It knows its commands' names and imports what a command needs when it is called. */
import { Command, CommanderError } from "commander";
import { ServiceUnavailableError } from "../runtime/base/errors.ts";
import { hasCode, isFileFault, SetupError, traceOf } from "../runtime/base/thrown.ts";
import { isOfProject } from "./blame.ts";
import type { CommandEntry, SourceOf } from "./commands/command.ts";
import { CommandError, exitCodes } from "./commands/exit-codes.ts";
import { rootOf } from "./commands/global-options.ts";
import { err } from "./commands/terminal.ts";

export interface Program {
  readonly description: string;
  /** The program's name, if not `cms`. */
  readonly invocation?: string;
  readonly version: string;
  readonly commands: readonly CommandEntry[];
  readonly sourceOf: SourceOf;
}

type Words = (text: string) => string;

/** Replaces `cms` in a text by this program's name. Commands that only the project has stay `cms`. */
const wordsOf = ({ invocation, commands }: Program): Words => {
  if (invocation === undefined) return (text) => text;
  const own = commands.map(({ name }) => name).join("|");
  const call = new RegExp(`(?<![\\w.-])cms (?=(?:${own})\\b(?! (?:new|rebase|reset|squash)\\b))`, "g");
  return (text) => text.replaceAll(call, `${invocation} `);
};

const create = ({ description, version, commands, sourceOf, invocation = "cms" }: Program, words: Words): Command => {
  const program = new Command(invocation)
    .description(description)
    .option("--root <dir>", "folder of the project", ".")
    .version(version, "-v, --version")
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(err.red(text)),
      writeOut: (text) => void process.stdout.write(words(text)),
    })
    .showSuggestionAfterError();
  for (const { name, summary } of commands) program.command(name).summary(summary).description(summary);
  program.hook("preSubcommand", async (_program, command) => {
    const entry = commands.find(({ name }) => name === command.name());
    const module = await entry?.load();
    module?.configure(command, sourceOf);
  });
  return program;
};

/** Prints the error and returns its exit code. */
const report = (error: unknown, root: string, words: Words): number => {
  // Commander has already printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.refused;
  // The database is gone, or others hold what the command needs: no code is to blame.
  if (error instanceof SetupError || error instanceof ServiceUnavailableError) {
    process.stderr.write(`${err.red("error")} ${words(error.message)}\n`);
    return exitCodes.refused;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`${err.red("error")} ${words(error.message)}\n`);
    return error.exitCode;
  }
  const trace = traceOf(error);
  // Our code throws only errors.
  if (!(error instanceof Error) || isOfProject(error, root)) {
    process.stderr.write(`${err.red("error")} code of the project has thrown ${trace}\n`);
    return exitCodes.refused;
  }
  if (isFileFault(error)) {
    process.stderr.write(`${err.red("error")} ${error.message}\n`);
    return exitCodes.refused;
  }
  process.stderr.write(`${err.red("bug")} ${trace}\n\nThis is a fault of galley-cms, not of your project. `);
  process.stderr.write("Please report it with the lines above and the schema file that it happens with.\n");
  return exitCodes.bug;
};

/** The reader has closed the pipe, as `head` does. */
const isUnread = (error: unknown): boolean => hasCode(error, "EPIPE");

/** Runs the command that the process's arguments name, and sets its exit code. */
export const runProgram = async (program: Program): Promise<void> => {
  const words = wordsOf(program);
  const command = create(program, words);
  /** Errors that nobody could catch, such as those of a project's timer. */
  const end = (error: unknown): never =>
    process.exit(isUnread(error) ? exitCodes.fine : report(error, rootOf(command), words));
  // The reader may close the pipe before the command ends.
  process.stdout.once("error", end);
  process.on("uncaughtException", end);
  try {
    await command.parseAsync();
  } catch (error) {
    process.exitCode = report(error, rootOf(command), words);
  } finally {
    process.off("uncaughtException", end);
  }
};
