/** Loads `cms.config.ts` of a project. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, loadFailureInShort } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { completeConfig } from "../../config/parse.ts";
import { bundleFile, BUNDLES } from "./load-module.ts";

export const CONFIG_FILES = ["cms.config.ts", "cms.config.mts", "cms.config.js", "cms.config.mjs"];

let evaluations = 0;

const evaluate = async (root: string, entry: string): Promise<unknown> => {
  try {
    const bundle = await bundleFile({ root, name: BUNDLES.config, entry, tellsPlaces: true });
    // The result may depend on environment variables, so the module is evaluated each time.
    const module = await import(`${pathToFileURL(bundle).href}?${(evaluations += 1)}`);
    return module.default;
  } catch (error) {
    const file = path.join(root, entry);
    throw new ConfigError(`${file} could not be read: ${loadFailureInShort(error)}`, {
      cause: error,
    });
  }
};

/** The configuration file of the project in `root`; undefined if there is none. */
export const configFile = (root: string): string | undefined =>
  CONFIG_FILES.find((file) => existsSync(path.join(root, file)));

/**
 * Loads the configuration of the project in `root`: defaults, overridden by `cms.config.ts` if it exists, overridden by
 * environment variables.
 *
 * @throws ConfigError when the file cannot be loaded or contains unknown settings
 */
export const loadConfig = async (root: string, environment: Environment = process.env): Promise<Config> => {
  const entry = configFile(root);
  const input = entry === undefined ? {} : await evaluate(root, entry);
  return completeConfig(input, entry ?? "configuration", root, environment);
};
