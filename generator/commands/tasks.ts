/** `cms tasks list|run`: the scheduled tasks of `app.ts`. */
import type { Command } from "commander";
import type { Project } from "../../runtime/app/project.ts";
import { closeServices, createServices } from "../../runtime/app/start.ts";
import { plannedTasks, runTask } from "../../runtime/app/tasks.ts";
import { SetupError } from "../../runtime/base/setup-error.ts";
import { traceOf } from "../../runtime/base/thrown.ts";
import type { SourceOf } from "./command.ts";
import { err } from "./terminal.ts";
import { onProject } from "./with-project.ts";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("list")
    .description("list the tasks, with the times at which they run next")
    .action(onProject(sourceOf, async (project) => void process.stdout.write(await list(project))));
  command.command("run").description("run a task now").argument("<name>", "its name").action(onProject(sourceOf, run));
};

const list = async ({ application }: Project): Promise<string> => {
  const tasks = await plannedTasks(application);
  if (tasks.length === 0) return "There are no tasks.\n";
  return tasks.map(({ name, schedule, next }) => `${name}\t${schedule}\t${next?.toISOString() ?? "never"}\n`).join("");
};

/** @throws SetupError if there is no such task, or if it fails */
const run = async (project: Project, name: string): Promise<void> => {
  const services = await createServices(project);
  try {
    await runTask(project.application, services, name);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`the task "${name}" has failed: ${traceOf(error)}`, { cause: error });
  } finally {
    await closeServices(services);
  }
  process.stderr.write(`${err.green("✓")} ran ${name}\n`);
};
