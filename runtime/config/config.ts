/** Configuration: the schema of `cms.config.ts`, its defaults, and the environment variables that override it. */
import { maxHeaderSize } from "node:http";
import { z } from "zod";
import { searchConfig } from "../search/config.ts";
import { authConfig } from "./auth.ts";
import { customFieldsConfig } from "./custom-fields.ts";
import { eventsConfig } from "./events.ts";
import { graphqlConfig } from "./graphql.ts";
import { mediaConfig } from "./media.ts";
import { panelConfig } from "./panel.ts";
import { fieldsConfig, permissionsConfig } from "./permissions.ts";

const port = z.coerce.number().int().min(0).max(65_535);

/** The response cache of each process. */
const cache = z
  .strictObject({
    /** Whether the response cache is enabled. */
    enabled: z.boolean().default(true),
    /** Most bytes of all cached responses together. */
    bytes: z
      .number()
      .int()
      .positive()
      .default(64 * 1024 * 1024),
  })
  .prefault({});

const openapi = z
  .strictObject({
    /**
     * Who may read the document and the page: `development`: everybody, but only in development; `public`: everybody;
     * `disabled`: nobody.
     */
    access: z.enum(["development", "public", "disabled"]).default("development"),
    /** The path of the page that shows the document; `false` for no page. */
    page: z
      .union([
        z.literal(false),
        z.string().regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/documentation", or false'),
      ])
      .default("/documentation"),
    /** Whether `cms generate` writes the document to `openapi.json` beside the other generated files. */
    artifact: z.boolean().default(true),
  })
  .prefault({});

const server = z
  .strictObject({
    port: port.default(1337),
    host: z.string().default("0.0.0.0"),
    /** Public address, without a trailing slash; used in mails and redirects. */
    url: z.string().default(""),
    /** Where `/` redirects to, such as `/admin`; by default it shows a page. */
    home: z
      .string()
      .regex(/^(?:\/|https?:\/\/)[^\s"'<>]*$/, 'expected a path such as "/admin", or an address')
      .optional(),
    /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: z.array(z.string()).default([]),
    /** Largest JSON body in bytes. */
    bodyLimit: z.number().int().positive().default(1_048_576),
    /** Seconds in which a JSON or form body must arrive. Uploads have no limit as long as they make progress. */
    bodySeconds: z.number().positive().default(30),
    /** Most bytes of a request head: path, query string and headers. */
    maxHeaderSize: z.number().int().min(8192).max(1_048_576).default(maxHeaderSize),
    /** The value of `X-Powered-By`, for clients and monitors that look for it, such as `Strapi <strapi.io>`. */
    poweredBy: z
      .string()
      .regex(/^[\x20-\x7e]+$/, "expected text that a header may contain")
      .optional(),
    /** Whether longer responses are compressed for clients that accept it. Turn it off if a proxy does it. */
    compression: z.boolean().default(true),
    /** Seconds that running requests get to finish when the server stops, before they are aborted. */
    shutdownSeconds: z.number().nonnegative().default(15),
    cors: z
      .strictObject({
        /** Allowed origins; `*` allows every origin, without credentials. */
        origins: z.array(z.string()).default(["*"]),
        credentials: z.boolean().default(false),
        maxAge: z.number().int().default(31_536_000),
      })
      .prefault({}),
  })
  .prefault({});

const database = z
  .strictObject({
    /** `postgres://…`; without it the embedded database under `.cms/` is used. */
    url: z.string().optional(),
    /** The kind of database, named as in Strapi's `DATABASE_CLIENT`; only PostgreSQL is supported. */
    client: z.string().default("postgres"),
    /**
     * Whether the embedded database may be used in production. It must be allowed explicitly, since containers lose its
     * folder.
     */
    embedded: z.boolean().default(false),
    /** Addresses of read replicas, for requests that write nothing. */
    replicas: z.array(z.url({ protocol: /^postgres(ql)?$/ })).default([]),
    /** Connections per process; no client, no table and no kind of work gets more than three quarters of them. */
    pool: z.number().int().positive().default(8),
    /** Seconds that one statement may run, and that it may wait for a connection. */
    statementSeconds: z.number().positive().default(10),
    /** Seconds that a statement may wait for a lock. */
    lockSeconds: z.number().positive().default(5),
    /** Seconds that all statements of a read request may take together. */
    requestSeconds: z.number().positive().default(20),
    /** Whether repeated statements are prepared; some connection poolers do not support it. */
    prepare: z.boolean().default(true),
    /** Whether to start if the database has migrations that this build does not contain. */
    allowNewer: z.boolean().default(false),
  })
  .prefault({});

const locales = z
  .strictObject({
    default: z.string().default("en"),
    codes: z.array(z.string()).default(["en"]),
    /** Fallback locales, such as `{ de: ["en"] }`: the first that a document has fills in for a missing one. */
    fallback: z.record(z.string(), z.array(z.string())).optional(),
  })
  .refine((value) => value.codes.includes(value.default), { error: "locales.codes must contain locales.default" })
  .refine(
    ({ codes, fallback }) =>
      Object.entries(fallback ?? {})
        .flat(2)
        .every((code) => codes.includes(code)),
    {
      error: "locales.fallback must name locales of locales.codes",
    },
  )
  .prefault({});

const rest = z
  .strictObject({
    prefix: z.string().startsWith("/").default("/api"),
    defaultLimit: z.number().int().positive().default(25),
    maxLimit: z.number().int().positive().default(100),
    withCount: z.boolean().default(true),
    /**
     * `v4`: requests and responses have the format of version 4, unless a request has the header
     * `Strapi-Response-Format: v5`.
     */
    format: z.enum(["v5", "v4"]).default("v5"),
    /** Whether unknown top-level query parameters are refused (400); otherwise they are ignored. */
    strictParams: z.boolean().default(true),
    /**
     * `readDraft`: reading drafts needs the permission `<uid>.readDraft`, and publishing needs `<uid>.publish`. `find`:
     * callers who may read may also read drafts, and callers who may write may also publish.
     */
    drafts: z.enum(["readDraft", "find"]).default("readDraft"),
    /**
     * The maximum number of entries of one list in a query string. A query has at most 1000 parameters, so a higher limit
     * than that has no effect.
     */
    arrayLimit: z.number().int().positive().default(100),
    /** Deepest nesting of populate. */
    populateDepth: z.number().int().positive().default(20),
    /** Most relations, media and levels that one query may read. */
    planSize: z.number().int().positive().default(200),
    /**
     * `Cache-Control` of reads, by role type and content type. For types that are listed here, responses to callers of
     * other roles are private.
     */
    cacheControl: z
      .record(
        z.string(),
        z.record(z.string(), z.string().regex(/^[\w\-=," ]+$/, 'expected a value such as "public, max-age=60"')),
      )
      .prefault({}),
    /** Names of attributes that are private on every type. */
    privateAttributes: z.array(z.string()).default([]),
  })
  .prefault({});

const documents = z
  .strictObject({
    /** Whether publishing, and writing types without drafts, needs the required relations and files. */
    strictRelations: z.boolean().default(true),
  })
  .prefault({});

/**
 * What one request may ask for (all fields of a GraphQL query together) and one body may contain. Requests beyond a
 * limit are refused with 400, before anything is read where possible.
 */
const limits = z
  .strictObject({
    /** Most to-many relations in all sort keys of one request together: each multiplies the rows to examine. */
    sortSteps: z.number().int().nonnegative().default(2),
    /** Most to-many relations in one path of a filter. */
    filterSteps: z.number().int().nonnegative().default(3),
    /** The highest cost, by PostgreSQL's own estimate, of a statement that sorts or filters through to-many relations. */
    queryCost: z.number().positive().default(250_000),
    /** Most to-many relations in one path of a populate. */
    populateSteps: z.number().int().nonnegative().default(8),
    /** Most comparisons, and most groups of them, in the filters of one query. */
    conditions: z.number().int().positive().default(500),
    /** Most values in all lists that one query compares with. */
    listValues: z.number().int().positive().default(500),
    /** Most rows that one request may read: documents, files and links, at all levels. */
    rows: z.number().int().positive().default(50_000),
    /** Most characters of one response. */
    answerSize: z.number().int().positive().default(20_000_000),
    /** Most members of all objects and lists in one JSON body. */
    bodyMembers: z.number().int().positive().default(50_000),
    /** Most entries of components and dynamic zones in one body, including nested ones. */
    componentEntries: z.number().int().positive().default(1000),
    /** Most faults of one body that the response lists. */
    bodyErrors: z.number().int().positive().default(100),
  })
  .prefault({});

const email = z
  .strictObject({
    /** Sender of mails. */
    from: z.string().default("no-reply@localhost"),
    replyTo: z.string().optional(),
    /** `smtp://user:password@host:port`. Without it, mails are printed in development, and not sent in production. */
    smtp: z.string().optional(),
  })
  .prefault({});

const logger = z
  .strictObject({
    level: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    /** Which responses are logged at `info`: all, those with a status of 500 or more, or none. */
    requests: z.union([z.enum(["all", "errors"]), z.literal(false)]).default("all"),
    /** Milliseconds from which a statement is logged as slow at `warn`; false to log none. */
    slowStatement: z.union([z.number().positive(), z.literal(false)]).default(500),
  })
  .prefault({});

/** Where Prometheus scrapes metrics; false to disable them. */
const metrics = z
  .union([
    z.literal(false),
    /** At `/metrics` on a port of their own, readable by anyone who can reach it. */
    z.strictObject({ port, host: z.string().default("127.0.0.1") }),
    /** At a path of the server, for requests with `Authorization: Bearer <token>`. */
    z.strictObject({ path: z.string().startsWith("/"), token: z.string().min(16) }),
  ])
  .default(false);

/** With this key the database gets a table that records who did what of concern to security. */
const audit = z
  .union([
    z.boolean(),
    /** How many days entries are kept. */
    z.strictObject({ days: z.number().positive() }),
  ])
  .default(false)
  .transform((given) => (given === true ? { days: 365 } : given || undefined));

const generate = z
  .strictObject({
    /** Folder with the schema files, relative to the root. */
    from: z.string().default("content-types"),
    /** Folder that generated files go to, relative to the root. */
    to: z.string().default("generated"),
    /** Whether `cms generate` writes a client for front ends to `client/` below it. */
    client: z.boolean().default(true),
  })
  .prefault({});

/** Whether one path is the other, or below it. */
const overlap = (one: string, other: string): boolean => `${one}/`.startsWith(`${other}/`);

/** The paths of everything else that the server serves. */
const pathsBeside = ({ rest, graphql, openapi, metrics }: Omit<Config, "panel">): readonly string[] => [
  rest.prefix,
  graphql.endpoint,
  "/uploads",
  "/_health",
  ...(openapi.page === false ? [] : [openapi.page]),
  ...(metrics !== false && "path" in metrics ? [metrics.path] : []),
];

/** Links with which people without an account see a draft until it expires. */
const sharing = z
  .strictObject({
    /** Most days for which a link is valid. */
    maxDays: z.number().int().positive().max(366).default(30),
    /** Types whose published documents links show, besides those that the public may find. */
    related: z.array(z.string()).default([]),
  })
  .optional();

const settings = z.strictObject({
  server,
  database,
  locales,
  rest,
  documents,
  search: searchConfig,
  limits,
  cache,
  graphql: graphqlConfig,
  openapi,
  panel: panelConfig,
  sharing,
  auth: authConfig,
  /**
   * Action uids by role type, applied by `cms permissions apply`; `can(action, { where, locales })` covers only some
   * documents.
   */
  permissions: permissionsConfig,
  /**
   * Attributes that a role may read and write, by role type and content type; all of them if a type is not listed. With
   * `{ read, write }`, each has a list of its own.
   * `token:` followed by a name stands for that API token.
   */
  fields: fieldsConfig,
  media: mediaConfig,
  /** The types that custom fields of plugins are stored as, by uid: `{ "plugin::maps.place": "string" }`. */
  customFields: customFieldsConfig,
  email,
  audit,
  events: eventsConfig,
  logger,
  metrics,
  generate,
});

export const configSchema = settings.superRefine((config, context) => {
  const { panel } = config;
  if (!panel) return;
  const taken = pathsBeside(config).find((path) => overlap(panel.path, path) || overlap(path, panel.path));
  if (taken === undefined) return;
  context.addIssue({ code: "custom", path: ["panel", "path"], message: `expected a path apart from "${taken}"` });
});

/** Configuration with every default filled in. */
export type Config = z.output<typeof settings>;
/** The possible contents of a `cms.config.ts`. */
export type ConfigInput = z.input<typeof configSchema>;

/**
 * The default export of a `cms.config.ts`: the configuration, or a function that computes it from the environment,
 * including `.env`.
 */
export type ConfigSource = ConfigInput | ((env: Readonly<Record<string, string | undefined>>) => ConfigInput);

/** Types the default export of `cms.config.ts`. */
export const defineConfig = (config: ConfigSource): ConfigSource => config;
