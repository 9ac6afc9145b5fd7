import type { Command } from "commander";
import { openProject, type Project } from "../../runtime/app/project.ts";
import { rootOf } from "./global-options.ts";

/** Runs `work` on the opened project, and closes its database whatever happens. */
export const withProject = async <Result>(
  command: Command,
  name: string,
  work: (project: Project) => Promise<Result>,
): Promise<Result> => {
  const project = await openProject(rootOf(command), name);
  try {
    return await work(project);
  } finally {
    await project.database.close();
  }
};
