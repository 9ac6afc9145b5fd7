/** A program of commands. It knows their names; what a command needs is imported when it is called. */
import { Command, CommanderError } from "commander";
import { hasCode, isFileFault } from "../runtime/base/error-code.ts";
import { ServiceUnavailableError } from "../runtime/base/errors.ts";
import { SetupError } from "../runtime/base/setup-error.ts";
import { traceOf } from "../runtime/base/thrown.ts";
import { isOfProject } from "./blame.ts";
import type { CommandEntry, SourceOf } from "./commands/command.ts";
import { CommandError, exitCodes } from "./commands/exit-codes.ts";
import { rootOf } from "./commands/global-options.ts";
import { err } from "./commands/terminal.ts";

export interface Program {
  readonly description: string;
  /** How it is called, where that is not `cms`. */
  readonly invocation?: string;
  readonly version: string;
  readonly commands: readonly CommandEntry[];
  readonly sourceOf: SourceOf;
}

type Words = (text: string) => string;

/** Names the commands of the program in a text as this program is called. What only the project has stays `cms`. */
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

/** Prints what went wrong and returns the exit code for it. */
const report = (error: unknown, root: string, words: Words): number => {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.refused;
  // The database has gone, or others hold what the command needs: nobody's code is to blame.
  if (error instanceof SetupError || error instanceof ServiceUnavailableError) {
    process.stderr.write(`${err.red("error")} ${words(error.message)}\n`);
    return exitCodes.refused;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`${err.red("error")} ${words(error.message)}\n`);
    return error.exitCode;
  }
  const trace = traceOf(error);
  // Ours throws errors and nothing else.
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

/** Whoever reads what is printed has read enough, as `head` does. */
const isUnread = (error: unknown): boolean => hasCode(error, "EPIPE");

/** Runs the command that the arguments of the process name, and sets its exit code. */
export const runProgram = async (program: Program): Promise<void> => {
  const words = wordsOf(program);
  const command = create(program, words);
  /** What nobody could catch, such as what a timer of the project throws. */
  const end = (error: unknown): never =>
    process.exit(isUnread(error) ? exitCodes.fine : report(error, rootOf(command), words));
  // It may be read for less long than the command takes.
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
