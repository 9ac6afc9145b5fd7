/** `cms generate --watch`: runs on every change of a schema file. */
import { SetupError } from "../../../runtime/base/thrown.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { onEveryChange } from "../on-every-change.ts";
import { err } from "../terminal.ts";
import type { GenerateFlags } from "./flags.ts";
import { printOutcome } from "./outcome.ts";
import type { Project } from "./project.ts";
import { generate } from "./run.ts";

const runOnce = async (project: Project, flags: GenerateFlags): Promise<void> => {
  try {
    printOutcome(await generate(project, flags), project);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof SetupError)) throw error;
    process.stderr.write(`${err.red("error")} ${error.message}\n`);
  }
};

/** Whether a change of the file can affect what is generated. */
export const isSource = (path: string): boolean => /\.(?:json|ts)$/.test(path);

/** Runs until the process is asked to stop (Ctrl+C). */
export const watch = async (project: Project, flags: GenerateFlags): Promise<number> => {
  await onEveryChange({
    root: project.root,
    paths: [project.from],
    concerns: isSource,
    run: () => runOnce(project, flags),
    started: () => process.stdout.write(`watching ${project.from}\n`),
  });
  return exitCodes.fine;
};
