/** `cms tasks list|run`: the scheduled tasks of `app.ts`. */
import type { Command } from "commander";
import type { Project } from "../../runtime/app/project.ts";
import { plannedTasks, runTask } from "../../runtime/app/tasks.ts";
import { SetupError, traceOf } from "../../runtime/base/thrown.ts";
import type { SourceOf } from "./command.ts";
import { done, printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";
import { withServices } from "./with-services.ts";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("list")
    .description("list the tasks, with the times at which they run next")
    .action(onProject(sourceOf, list));
  command.command("run").description("run a task now").argument("<name>", "its name").action(onProject(sourceOf, run));
};

const list = async ({ application }: Project): Promise<void> => {
  const tasks = await plannedTasks(application);
  const rows = tasks.map(({ name, schedule, next }) => [name, schedule, next?.toISOString() ?? "never"]);
  printRows(rows, "There are no tasks.");
};

/** @throws SetupError if there is no such task, or if it fails */
const run = async (project: Project, name: string): Promise<void> => {
  try {
    await withServices(project, (services) => runTask(project.application, services, name));
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`the task "${name}" has failed: ${traceOf(error)}`, { cause: error });
  }
  done(`ran ${name}`);
};
