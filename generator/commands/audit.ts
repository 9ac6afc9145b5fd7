/** `cms audit`: lists the audit log. */
import { type Command, InvalidArgumentError } from "commander";
import type { Project } from "../../runtime/app/project.ts";
import { auditLines, type PrintOptions } from "../../runtime/audit/print.ts";
import { ValidationError } from "../../runtime/base/errors.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { onProject } from "./with-project.ts";

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("a count is a whole number from 1.");
  return Number(text);
};

const print = async (project: Project, options: PrintOptions): Promise<void> => {
  try {
    for await (const line of auditLines(project, options)) process.stdout.write(`${line}\n`);
  } catch (error) {
    throw error instanceof ValidationError ? new CommandError(error.message) : error;
  }
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--action <names>", "actions such as token.create, or groups such as login, separated by commas")
    .option("--by <who>", "who did it: name or id of a user or token, or user, token, public, code, command")
    .option("--subject <id>", "what it was done to: its documentId or name")
    .option("--since <instant>", "from this instant on, in ISO 8601")
    .option("--until <instant>", "before this instant")
    .option("--limit <count>", "most entries, newest first", parseCount, 100)
    .option("--json", "one JSON object per line")
    .action(onProject(sourceOf, print));
};
