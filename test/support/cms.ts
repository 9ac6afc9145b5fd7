/** Runs the built `cms` program inside tests: what is started ends with the test, where nothing else is said. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";
import * as processes from "./processes.ts";
import { type AtEnd, type Environment, program, type Server } from "./processes.ts";

export {
  type AtEnd,
  cms,
  cmsBy,
  cmsOutput,
  cmsProcess,
  repository,
  run,
  type Run,
  type Server,
  startCms,
  type Started,
} from "./processes.ts";

/** The work is done at the end of the running test. */
export const atEndOfTest: AtEnd = (work) =>
  onTestFinished(async () => {
    await work();
  });

interface Served {
  readonly command?: "start" | "dev";
  /** Another `cms` than the one that was built here. */
  readonly program?: string;
  readonly atEnd?: AtEnd;
}

/** Starts `cms` in `root` on a free port and waits until it answers. It is stopped at the end of the test. */
export const serve = async (root: string, env: Environment = {}, served: Served = {}): Promise<Server> => {
  const port = await freePort();
  const args = [served.program ?? program, served.command ?? "start"];
  return processes.serveBy(process.execPath, args, root, port, env, served.atEnd ?? atEndOfTest);
};

/** Starts any command that serves on the port of the variable PORT. */
export const serveBy = (
  file: string,
  args: readonly string[],
  cwd: string,
  port: number,
  env: Environment = {},
  atEnd = atEndOfTest,
): Promise<Server> => processes.serveBy(file, args, cwd, port, env, atEnd);

/** An empty folder outside the repository, removed at the end of the test. */
export const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
