/** The program of a `cms build` folder: the commands that operate a server, and none that generate. */
import type { Application } from "../../runtime/app/application.ts";
import { completeConfig } from "../../runtime/config/parse.ts";
import { MIGRATE, servingCommands } from "../commands/serving-commands.ts";
import { runProgram } from "../program.ts";

/** The inputs of the folder. */
export interface Parts {
  /** The version of galley-cms. */
  readonly version: string;
  /** The contents of the configuration file; an empty object if there is none. */
  config(): Promise<unknown>;
  application(): Promise<Application>;
  /** The migrations folder. */
  readonly migrations: string;
}

/** Runs the command named by the process's arguments. */
export const run = async ({ version, config, application, migrations }: Parts): Promise<void> => {
  // Makes stack traces name the project's files and lines instead of the bundle's.
  process.setSourceMapsEnabled(true);
  await runProgram({
    description: "Serves a project of galley-cms that was built by `cms build`.",
    invocation: "node cms.mjs",
    version,
    commands: [
      { name: "migrate", summary: MIGRATE, load: () => import("../commands/migrate/operate.ts") },
      ...servingCommands,
    ],
    sourceOf: (root) => ({
      root,
      version,
      readConfig: async () => completeConfig(await config(), "the configuration", root, process.env),
      loadApplication: application,
      migrations: () => migrations,
    }),
  });
};
