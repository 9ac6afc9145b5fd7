/** `cms dev`: generates, migrates and serves, and repeats on every change. */
import type { Command } from "commander";
import type { DevelopmentFlags } from "./dev/round.ts";
import { rootOf } from "./global-options.ts";
import { parsePort } from "./options.ts";

export const configure = (command: Command): void => {
  command
    .option("--port <number>", "port to listen on (default: PORT, the configuration, or 1337)", parsePort)
    .option("--seed", "run the seed of the project before it is served for the first time")
    .addHelpText(
      "after",
      "\nApplies permissions as well, and watches schema files, migrations, cms.config.ts, .env and all code of the\n" +
        "project that the server runs. The database stays open while the server is replaced; a new port or database\n" +
        "takes effect when the command is started again.",
    )
    .action(async (flags: DevelopmentFlags) => {
      const { runDevelopment } = await import("./dev/run.ts");
      await runDevelopment(rootOf(command), flags);
    });
};
