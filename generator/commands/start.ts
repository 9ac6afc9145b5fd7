/** `cms start`: serves the project. Loads no part of the generator. */
import cluster from "node:cluster";
import type { Command } from "commander";
import { openProject } from "../../runtime/app/project.ts";
import { type RunningServer, startServer } from "../../runtime/app/start.ts";
import { warm } from "../../runtime/app/warm.ts";
import { createLogger } from "../../runtime/base/log.ts";
import type { Config } from "../../runtime/config/config.ts";
import { serveDatabase } from "../../runtime/database/ipc/server.ts";
import { announce } from "./announce.ts";
import type { CommandSource, SourceOf } from "./command.ts";
import { examinationOf } from "./examination.ts";
import { rootOf } from "./global-options.ts";
import { logRejections } from "./log-rejections.ts";
import { parsePort, parseWorkers, withPort } from "./options.ts";
import { supervise } from "./start/supervisor.ts";
import { demandShared, tellServing, turn, untilRetired } from "./start/worker.ts";
import { endAfter, untilStopped } from "./until-stopped.ts";

const NAME = "cms start";

const HELP = `
Run cms migrate first: the server never changes tables. SIGUSR2 replaces the workers one by one with new code and
configuration, while the others serve.`;

interface Flags {
  readonly port?: number;
  readonly allowNewer?: true;
  readonly workers: number;
}

/** Processes that start together announce it once; those that start later do not. */
const announceOnce = async (server: RunningServer): Promise<void> => {
  if ((cluster.worker?.id ?? 1) === 1) await announce(server);
};

/** Serves in this process until it is asked to stop. */
const serve = async (source: CommandSource, { port, allowNewer }: Flags): Promise<void> => {
  // A worker that is still starting finishes starting first; a single process ends at once.
  const retired = cluster.isWorker ? untilRetired() : undefined;
  const adjust = (config: Config): Config =>
    withPort(port)(allowNewer ? { ...config, database: { ...config.database, allowNewer } } : config);
  const project = await openProject(source, NAME, { adjust });
  const { root, database, config } = project;
  try {
    demandShared(database);
    const log = createLogger(config.logger);
    logRejections(log);
    const ipc = await serveDatabase(database, { root, version: source.version, command: NAME, log });
    try {
      const server = await startServer({ ...project, examine: examinationOf(root), ...(cluster.isWorker && { turn }) });
      tellServing();
      await announceOnce(server);
      void warm(server.services);
      await (retired ?? untilStopped());
      log.info("finishing running requests");
      endAfter(config.server.shutdownSeconds);
      await server.close();
      log.info("stopped");
    } finally {
      await ipc.close();
    }
  } finally {
    await database.close();
  }
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--port <number>", "port to listen on (default: PORT, the configuration, or 1337)", parsePort)
    .option(
      "--workers <count>",
      'number of processes that serve on one port; "auto": one for each core',
      parseWorkers,
      1,
    )
    .option("--allow-newer", "start even if the database has migrations that this build does not know")
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      if (cluster.isPrimary && flags.workers > 1) {
        process.exitCode = await supervise(flags.workers, createLogger({ level: "info" }));
        return;
      }
      try {
        await serve(await sourceOf(rootOf(command)), flags);
      } finally {
        // A worker would stay alive for messages.
        cluster.worker?.disconnect();
      }
    });
};
