import { existsSync } from "node:fs";
import path from "node:path";
import { SetupError } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import type { Application } from "../application.ts";
import { bundleFile, BUNDLES, loadModule } from "./load-module.ts";

/** The folder contains no generated code that can be run. */
export class NothingGeneratedError extends SetupError {}

const isApplication = (value: unknown): value is Application =>
  typeof value === "object" && value !== null && "contentTypes" in value && "components" in value;

const EXTENSIONS = ["panel/extensions.tsx", "panel/extensions.ts"];

/** The built extensions of the panel; undefined if the project has none, or no panel. */
export const panelExtensions = async (root: string, panel: Config["panel"] | true): Promise<string | undefined> => {
  const entry = panel ? EXTENSIONS.find((file) => existsSync(path.join(root, file))) : undefined;
  return entry && bundleFile({ root, name: BUNDLES.panel, entry, isForBrowsers: true });
};

/** Loads the generated code of the application in `root`, with the user's extensions. */
export const loadApplication = async (
  root: string,
  { generate, panel }: Pick<Config, "generate" | "panel">,
): Promise<Application> => {
  const entry = path.join(generate.to, "index.ts");
  if (!existsSync(path.join(root, entry))) {
    throw new NothingGeneratedError(`${path.join(root, entry)} is missing: run \`cms generate\` first`);
  }
  const { default: application } = await loadModule({ root, name: BUNDLES.app, entry });
  if (!isApplication(application)) {
    throw new NothingGeneratedError(`${path.join(root, entry)} does not export an application: run \`cms generate\``);
  }
  const extensions = await panelExtensions(root, panel);
  return extensions === undefined ? application : { ...application, panelExtensions: extensions };
};
