/** `cms generate --watch`: a run for every change of a schema file. */
import { watch as watchFiles } from "chokidar";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { err } from "../terminal.ts";
import type { GenerateFlags } from "./flags.ts";
import { printOutcome } from "./outcome.ts";
import type { Project } from "./project.ts";
import { generate } from "./run.ts";

/** Editors write several files at once: changes that follow each other this quickly (milliseconds) are one. */
const PAUSE = 50;

const runOnce = async (project: Project, flags: GenerateFlags): Promise<void> => {
  try {
    printOutcome(await generate(project, flags), project.name);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${err.red("error")} ${error.message}\n`);
  }
};

const isSchema = (path: string): boolean => /(?:\.json|[\\/]extension\.ts)$/.test(path);

/** Runs until the process is told to end (Ctrl-C). */
export const watch = async (project: Project, flags: GenerateFlags): Promise<number> => {
  await runOnce(project, flags);
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watchFiles(project.from, { ignoreInitial: true });
  const ended = new Promise<number>((resolve, reject) => {
    const run = (): void => {
      running = running.then(() => runOnce(project, flags));
      running.catch(reject);
    };
    watcher.on("all", (_event, path) => {
      if (!isSchema(path)) return;
      clearTimeout(timer);
      timer = setTimeout(run, PAUSE);
    });
    watcher.on("error", reject);
    process.once("SIGINT", () => resolve(exitCodes.fine));
    process.once("SIGTERM", () => resolve(exitCodes.fine));
  });
  process.stdout.write(`watching ${project.from}\n`);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
    await watcher.close();
    await running;
  }
};
