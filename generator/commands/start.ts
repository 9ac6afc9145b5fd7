/** `cms start`: serves the project. Loads no part of the generator. */
import type { Command } from "commander";
import { openProject } from "../../runtime/app/project.ts";
import { startServer } from "../../runtime/app/start.ts";
import { createLogger } from "../../runtime/base/log.ts";
import type { Config } from "../../runtime/config/config.ts";
import { serveBeside } from "../../runtime/database/beside/serve.ts";
import { announce } from "./announce.ts";
import type { SourceOf } from "./command.ts";
import { rootOf } from "./global-options.ts";
import { parsePort, withPort } from "./port-option.ts";
import { endAfter, untilStopped } from "./until-stopped.ts";

const NAME = "cms start";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--port <number>", "port to listen on (default: PORT, the configuration, or 1337)", parsePort)
    .option("--allow-newer", "start although the database has migrations that this build does not know")
    .addHelpText("after", "\nThe database has to be migrated: the server never changes its tables.")
    .action(async ({ port, allowNewer }: { port?: number; allowNewer?: true }) => {
      const adjust = (config: Config): Config =>
        withPort(port)(allowNewer ? { ...config, database: { ...config.database, allowNewer } } : config);
      const source = await sourceOf(rootOf(command));
      const project = await openProject(source, NAME, { adjust });
      const { root, database, config } = project;
      const served = { root, version: source.version, command: NAME, log: createLogger(config.logger) };
      const beside = await serveBeside(database, served);
      try {
        const server = await startServer(project);
        announce(server);
        await untilStopped();
        endAfter(config.server.shutdownSeconds);
        await server.close();
      } finally {
        await beside.close();
        await database.close();
      }
    });
};
