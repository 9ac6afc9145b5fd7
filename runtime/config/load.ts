/** Reads `cms.config.ts` from the folder of a project. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError } from "./config-error.ts";
import type { Config } from "./config.ts";
import type { Environment } from "./environment.ts";
import { completeConfig } from "./parse.ts";

const FILES = ["cms.config.ts", "cms.config.mts", "cms.config.js", "cms.config.mjs"];

/** The package's main entry, so that a configuration file finds `defineConfig` wherever it stands. */
const mainEntry = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url),
);

const importFile = async (file: string): Promise<unknown> => {
  // Loaded only where there is a file: many projects have none, and every command would wait for it.
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { alias: { "galley-cms": mainEntry }, fsCache: false, moduleCache: false });
  try {
    return await jiti.import(file, { default: true });
  } catch (error) {
    throw new ConfigError(`${file} could not be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/** The configuration file of the project in `root`; undefined where there is none. */
export const configFile = (root: string): string | undefined => FILES.find((file) => existsSync(join(root, file)));

/**
 * Loads the configuration of the project in `root`: defaults, then `cms.config.ts` if there is one, then the environment.
 *
 * @throws ConfigError when the file cannot be read or says something that is not known
 */
export const loadConfig = async (root: string, environment: Environment = process.env): Promise<Config> => {
  const name = configFile(root);
  const input = name === undefined ? {} : await importFile(join(root, name));
  return completeConfig(input, name ?? "configuration", root, environment);
};
