/** Reads `cms.config.ts`, `.env` and the environment into one configuration. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { didYouMean } from "../base/did-you-mean.ts";
import { ConfigError } from "./config-error.ts";
import { type Config, configSchema } from "./config.ts";
import { applyEnvironment, type Environment } from "./environment.ts";

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

/** The keys that the schema knows at a path. */
const keysAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] => {
  let at: z.core.$ZodType | undefined = schema;
  const rest = [...path];
  while (at) {
    if (at instanceof z.ZodObject) {
      if (rest.length === 0) return Object.keys(at.shape);
      at = at.shape[String(rest.shift())];
    } else if (at instanceof z.ZodUnion) at = at.options.find((option) => option instanceof z.ZodObject);
    else if (at instanceof z.ZodPrefault || at instanceof z.ZodDefault || at instanceof z.ZodOptional) at = at.unwrap();
    else if (at instanceof z.ZodPipe) at = at.in;
    else return [];
  }
  return [];
};

const describe = (issue: z.core.$ZodIssue, source: string): string[] => {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(configSchema, issue.path);
    return issue.keys.map((key) => {
      const name = place === "" ? key : `${place}.${key}`;
      return `${source}: unknown key "${name}".${didYouMean(key, known)}`;
    });
  }
  if (issue.code === "invalid_union") {
    const inner = issue.errors.flat().filter(({ code }) => code === "unrecognized_keys");
    if (inner.length > 0)
      return inner.flatMap((each) => describe({ ...each, path: [...issue.path, ...each.path] }, source));
  }
  return [`${source}: ${place}: ${issue.message}`];
};

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param input what the file says, an empty object where there is none
 * @param source the name of the file, for messages
 * @throws ConfigError naming every key that is unknown or wrong
 */
export const parseConfig = (input: unknown, source: string): Config => {
  const result = configSchema.safeParse(input);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.flatMap((issue) => describe(issue, source)).join("\n"));
};

/** The environment, completed by the `.env` file (or that of `ENV_PATH`) beside the configuration. */
export const readEnvironment = (root: string, environment: Environment): Environment => {
  const file = join(root, environment.ENV_PATH ?? ".env");
  return existsSync(file) ? { ...parseEnv(readFileSync(file, "utf8")), ...environment } : environment;
};

/**
 * Loads the configuration of the project in `root`: defaults, then `cms.config.ts` if there is one, then the environment.
 *
 * @throws ConfigError when the file cannot be read or says something that is not known
 */
export const loadConfig = async (root: string, environment: Environment = process.env): Promise<Config> => {
  const name = FILES.find((file) => existsSync(join(root, file)));
  const input = name === undefined ? {} : await importFile(join(root, name));
  return applyEnvironment(parseConfig(input, name ?? "configuration"), readEnvironment(root, environment));
};
