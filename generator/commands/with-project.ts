import type { Command } from "commander";
import { openProject, type Project } from "../../runtime/app/project.ts";
import { openOrConnect } from "../../runtime/database/ipc/client.ts";
import type { SourceOf } from "./command.ts";
import { rootOf } from "./global-options.ts";

/** A runnable subcommand, and where its project comes from. */
export interface Running {
  readonly command: Command;
  readonly sourceOf: SourceOf;
  /** How long a statement may take, instead of what the configuration says: work on all rows at once takes longer. */
  readonly statementSeconds?: number;
}

/** The command as called, without arguments: `cms token create`. */
const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

/** Runs `work` on the opened project, through the server if one runs, and always closes its database. */
export const withProject = async <Result>(
  { command, sourceOf, statementSeconds }: Running,
  work: (project: Project) => Promise<Result>,
): Promise<Result> => {
  const source = await sourceOf(rootOf(command));
  const { version } = source;
  const name = fullName(command);
  const project = await openProject(source, name, {
    adjust: (config) =>
      statementSeconds === undefined ? config : { ...config, database: { ...config.database, statementSeconds } },
    open: (config, root) => openOrConnect(config, root, { command: name, version }),
  });
  try {
    return await work(project);
  } finally {
    await project.database.close();
  }
};

/** The action of a subcommand that works on the opened project: gets the arguments and options from commander. */
export const onProject = <Given extends readonly unknown[]>(
  sourceOf: SourceOf,
  work: (project: Project, ...given: Given) => Promise<void>,
) =>
  async function (this: Command, ...given: Given) {
    await withProject({ command: this, sourceOf }, (project) => work(project, ...given));
  };
