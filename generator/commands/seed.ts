/** `cms seed`: loads the content that a project starts with. */
import type { Command } from "commander";
import { runSeed } from "../../runtime/app/seed/run-seed.ts";
import { closeServices, createServices } from "../../runtime/app/start.ts";
import type { SourceOf } from "./command.ts";
import { createProgress } from "./progress.ts";
import { withProject } from "./with-project.ts";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .addHelpText(
      "after",
      "\nRuns content-types/seed/index.ts. What is there already stays as it is, so it may run again.",
    )
    .action(() =>
      withProject({ command, sourceOf }, "cms seed", async (project) => {
        const services = await createServices(project);
        const progress = createProgress();
        try {
          const { created, present } = await runSeed(project, services, (subject) => progress.show(subject));
          progress.end();
          process.stdout.write(`seed: ${created} created, ${present} there before\n`);
        } finally {
          progress.end();
          await closeServices(services);
        }
      }),
    );
};
