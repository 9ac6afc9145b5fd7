/** Validates a configuration, and fills in defaults and environment variables. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { didYouMean } from "../base/did-you-mean.ts";
import { ConfigError } from "../base/thrown.ts";
import { type Config, configSchema } from "./config.ts";
import { applyEnvironment, type Environment } from "./environment.ts";

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
 * @param input the content of the file; an empty object if there is none
 * @param source the name of the file, for messages
 * @throws ConfigError naming every key that is unknown or wrong
 */
export const parseConfig = (input: unknown, source: string): Config => {
  // Compiled checks pay off only when they run often, and these run once.
  const result = configSchema.safeParse(input, { jitless: true });
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.flatMap((issue) => describe(issue, source)).join("\n"));
};

/** The environment variables, completed by the `.env` file (or that of `ENV_PATH`) next to the configuration. */
export const readEnvironment = (root: string, environment: Environment): Environment => {
  const file = join(root, environment.ENV_PATH ?? ".env");
  return existsSync(file) ? { ...parseEnv(readFileSync(file, "utf8")), ...environment } : environment;
};

const isFunction = (input: unknown): input is (env: Environment) => unknown => typeof input === "function";

/**
 * The configuration of the project in `root`: defaults, overridden by its file, overridden by `.env` and the
 * environment.
 *
 * @param input the content of the file, or a function that computes it from the environment; an empty object if there
 *   is none
 * @param source the name of the file, for messages
 * @throws ConfigError for invalid or unknown settings
 */
export const completeConfig = (input: unknown, source: string, root: string, environment: Environment): Config => {
  const variables = readEnvironment(root, environment);
  return applyEnvironment(parseConfig(isFunction(input) ? input(variables) : input, source), variables);
};
