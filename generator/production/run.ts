/** The program of a folder that `cms build` has made: what operates a server, and nothing that generates. */
import type { Application } from "../../runtime/app/application.ts";
import { completeConfig } from "../../runtime/config/parse.ts";
import { MIGRATE, servingCommands } from "../commands/serving-commands.ts";
import { runProgram } from "../program.ts";

/** What the folder was made of. */
export interface Parts {
  /** The version of galley-cms. */
  readonly version: string;
  /** What the configuration file says; an empty object where there was none. */
  config(): Promise<unknown>;
  application(): Promise<Application>;
  /** The folder of the migrations. */
  readonly migrations: string;
}

/** Runs the command that the arguments of the process name. */
export const run = async ({ version, config, application, migrations }: Parts): Promise<void> => {
  // Stacks name the files and lines of the project rather than those of the bundle.
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
