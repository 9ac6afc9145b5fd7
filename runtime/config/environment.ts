/** Environment variables, which override the configuration file. */
import { z } from "zod";
import { ConfigError } from "../base/thrown.ts";
import type { Config } from "./config.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PORT = "expected a whole number from 0 to 65535, such as 1337";
const port = z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT);
const count = z.coerce.number().int().positive();
const level = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);

/** An unset or empty variable counts as absent. */
const read = <Output>(environment: Environment, name: string, schema: z.ZodType<Output>): Output | undefined => {
  const value = environment[name];
  if (value === undefined || value === "") return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fault = result.error.issues[0]?.message;
  throw new ConfigError(`The environment variable ${name} is wrong: ${fault}, got ${JSON.stringify(value)}`);
};

/** The database address made from `DATABASE_HOST` and similar variables. */
const databaseUrl = (environment: Environment): string | undefined => {
  const { DATABASE_URL, DATABASE_HOST } = environment;
  if (DATABASE_URL) return DATABASE_URL;
  if (!DATABASE_HOST) return undefined;
  const url = new URL(`postgres://${DATABASE_HOST}`);
  url.port = environment.DATABASE_PORT ?? "5432";
  url.username = encodeURIComponent(environment.DATABASE_USERNAME ?? "");
  url.password = encodeURIComponent(environment.DATABASE_PASSWORD ?? "");
  url.pathname = `/${environment.DATABASE_NAME ?? "strapi"}`;
  if (environment.DATABASE_SSL === "true") url.searchParams.set("sslmode", "require");
  return url.href;
};

/** Copies `base`, replacing values that are set in `values`. */
const override = <Base extends object>(
  base: Base,
  values: { readonly [Key in keyof Base]?: Base[Key] | undefined },
): Base => ({ ...base, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) });

/**
 * The configuration with the environment variables applied. Names are those that Strapi projects already use: `HOST`,
 * `PORT`, `PUBLIC_URL`, `DATABASE_URL` (or `DATABASE_HOST` and its parts), `DATABASE_CLIENT`, `DATABASE_EMBEDDED`,
 * `DATABASE_POOL_MAX`, `DATABASE_PREPARE`, `CACHE_ENABLED`, `JWT_SECRET`, `API_TOKEN_SALT`,
 * `STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE`, `STRAPI_LOG_LEVEL`.
 */
export const applyEnvironment = (config: Config, environment: Environment): Config => {
  const text = z.string();
  const locale = read(environment, "STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE", text);
  return {
    ...config,
    server: override(config.server, {
      port: read(environment, "PORT", port),
      host: read(environment, "HOST", text),
      url: read(environment, "PUBLIC_URL", text),
    }),
    database: override(config.database, {
      url: databaseUrl(environment),
      client: read(environment, "DATABASE_CLIENT", text),
      embedded: read(environment, "DATABASE_EMBEDDED", z.stringbool()),
      pool: read(environment, "DATABASE_POOL_MAX", count),
      prepare: read(environment, "DATABASE_PREPARE", z.stringbool()),
      allowNewer: read(environment, "DATABASE_ALLOW_NEWER", z.stringbool()),
    }),
    locales: locale
      ? { ...config.locales, default: locale, codes: [...new Set([...config.locales.codes, locale])] }
      : config.locales,
    cache: override(config.cache, { enabled: read(environment, "CACHE_ENABLED", z.stringbool()) }),
    auth: override(config.auth, {
      jwt: override(config.auth.jwt, { secret: read(environment, "JWT_SECRET", text) }),
      tokenSalt: read(environment, "API_TOKEN_SALT", text),
    }),
    logger: override(config.logger, { level: read(environment, "STRAPI_LOG_LEVEL", level) }),
  };
};
