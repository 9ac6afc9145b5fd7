import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { serveDatabase } from "../../../runtime/database/ipc/server.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { logRejections } from "../log-rejections.ts";
import { onEveryChange } from "../on-every-change.ts";
import { packageVersion } from "../package-version.ts";
import { endAfter } from "../until-stopped.ts";
import { createOutput } from "./output.ts";
import { createRetry } from "./retry.ts";
import { type DevelopmentFlags, round, type State } from "./round.ts";
import { createSources } from "./sources.ts";

const NAME = "cms dev";

/** Runs until the process is asked to stop. */
export const runDevelopment = async (root: string, flags: DevelopmentFlags): Promise<void> => {
  const config = await loadConfig(root);
  const output = createOutput(config);
  logRejections(output.log);
  const database = await openDatabase(config, root, NAME);
  const ipc = await serveDatabase(database, { root, version: packageVersion(), command: NAME, log: output.log });
  const sources = createSources(root, config);
  const retry = createRetry(database);
  const state: State = { database, root, flags, sources, output, retry, isStill: () => true };
  try {
    await onEveryChange({
      root,
      paths: sources.paths,
      concerns: (file) => sources.concerns(file, state.fault !== undefined),
      run: (changed, ending) => round(state, changed, ending),
      isDue: retry.isDue,
    });
  } finally {
    endAfter(config.server.shutdownSeconds);
    await state.server?.close();
    await ipc.close();
    await database.close();
  }
};
