/** Configuration: the shape of `cms.config.ts`, its defaults, and the environment variables that win over it. */
import { z } from "zod";
import { authConfig } from "./auth.ts";
import { cacheConfig } from "./cache.ts";
import { customFieldsConfig } from "./custom-fields.ts";
import { graphqlConfig } from "./graphql.ts";
import { mediaConfig } from "./media.ts";
import { openapiConfig } from "./openapi.ts";

const port = z.coerce.number().int().min(0).max(65_535);

const server = z
  .strictObject({
    port: port.default(1337),
    host: z.string().default("0.0.0.0"),
    /** Public address, without a trailing slash; used in mails and redirects. */
    url: z.string().default(""),
    /** Where `/` redirects to, such as `/admin`; without it there is a page for people. */
    home: z
      .string()
      .regex(/^(?:\/|https?:\/\/)[^\s"'<>]*$/, 'expected a path such as "/admin", or an address')
      .optional(),
    /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
    trustedProxies: z.array(z.string()).default([]),
    /** Largest JSON body in bytes. */
    bodyLimit: z.number().int().positive().default(1_048_576),
    /** Seconds in which a JSON or form body has to arrive. Uploads may take as long as they go on. */
    bodySeconds: z.number().positive().default(30),
    /** Most bytes of the head of a request: its path, query string and headers. */
    maxHeaderSize: z.number().int().min(8192).max(1_048_576).default(16_384),
    /** Whether longer answers are compressed for clients that take it; a proxy in front may do it instead. */
    compression: z.boolean().default(true),
    /** Seconds that requests have to finish when the server is told to end; what runs for longer is cut off. */
    shutdownSeconds: z.number().nonnegative().default(15),
    cors: z
      .strictObject({
        /** Origins that are allowed; `*` allows every origin, without credentials. */
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
    /** The kind of database, as Strapi's `DATABASE_CLIENT` names it; there is PostgreSQL only. */
    client: z.string().default("postgres"),
    /** In production the embedded database has to be asked for: it stands in a folder that containers lose. */
    embedded: z.boolean().default(false),
    /** Addresses of copies that answer requests which write nothing. */
    replicas: z.array(z.url({ protocol: /^postgres(ql)?$/ })).default([]),
    /** Connections of one process. Statements are pipelined, so a few are enough; a quarter is kept for reading. */
    pool: z.number().int().positive().default(8),
    /** Seconds for which one statement may run, and for which one waits for a connection. */
    statementSeconds: z.number().positive().default(10),
    /** Seconds for which a statement waits for what others have locked. */
    lockSeconds: z.number().positive().default(5),
    /** Whether statements that come again are prepared; some connection poolers cannot keep them. */
    prepare: z.boolean().default(true),
    /** Whether to start on a database that has migrations which this build does not know. */
    allowNewer: z.boolean().default(false),
  })
  .prefault({});

const locales = z
  .strictObject({ default: z.string().default("en"), codes: z.array(z.string()).default(["en"]) })
  .refine((value) => value.codes.includes(value.default), { error: "locales.codes must contain locales.default" })
  .prefault({});

const rest = z
  .strictObject({
    prefix: z.string().startsWith("/").default("/api"),
    defaultLimit: z.number().int().positive().default(25),
    maxLimit: z.number().int().positive().default(100),
    withCount: z.boolean().default(true),
    /**
     * `v4`: requests are taken and answered as in version 4 of the wire format, unless one asks for
     * `Strapi-Response-Format: v5`.
     */
    format: z.enum(["v5", "v4"]).default("v5"),
    /** Unknown top-level query keys are 400 instead of ignored. */
    strictParams: z.boolean().default(true),
    /**
     * `readDraft`: reading drafts needs `<uid>.readDraft`, and a write that publishes `<uid>.publish`; `find`: whoever may
     * find may read drafts, and whoever may write may publish.
     */
    drafts: z.enum(["readDraft", "find"]).default("readDraft"),
    /** Most entries of one list in a query string. */
    arrayLimit: z.number().int().min(20).max(10_000).default(100),
    /** Deepest nesting of populate. */
    populateDepth: z.number().int().positive().default(20),
    /** Most relations, media and levels that one query may read. */
    planSize: z.number().int().positive().default(200),
    /**
     * `Cache-Control` of what is read, by role type and content type. Where a type stands here at all, what other callers
     * read of it is private.
     */
    cacheControl: z
      .record(
        z.string(),
        z.record(z.string(), z.string().regex(/^[\w\-=," ]+$/, 'expected a value such as "public, max-age=60"')),
      )
      .prefault({}),
    /** Attribute names hidden on every type. */
    privateAttributes: z.array(z.string()).default([]),
  })
  .prefault({});

const documents = z
  .strictObject({
    /** Whether what is published, and what has no drafts, needs its required relations and files. */
    strictRelations: z.boolean().default(true),
  })
  .prefault({});

/**
 * What one request may ask for, all fields of a GraphQL query together, and one body hold. Beyond it a request is refused
 * with 400; where that shows before anything is read, nothing is read.
 */
const limits = z
  .strictObject({
    /** To-many relations that one path of a sort leads through: each multiplies what has to be looked at. */
    sortSteps: z.number().int().nonnegative().default(2),
    /** The same for one path of a filter. */
    filterSteps: z.number().int().nonnegative().default(3),
    /** The same for one path of a populate. */
    populateSteps: z.number().int().nonnegative().default(8),
    /** Comparisons in the filters of one query, and groups of them. */
    conditions: z.number().int().positive().default(500),
    /** Values in the lists that one query compares with. */
    listValues: z.number().int().positive().default(500),
    /** Rows that one request may read: documents, files and links, at all levels. */
    rows: z.number().int().positive().default(50_000),
    /** Characters of the text of one answer. */
    answerSize: z.number().int().positive().default(20_000_000),
    /** Members of all objects and lists of one JSON body. */
    bodyMembers: z.number().int().positive().default(50_000),
    /** Entries of components and dynamic zones in one body, nested ones included. */
    componentEntries: z.number().int().positive().default(1000),
    /** Faults of one body that its answer lists. */
    bodyErrors: z.number().int().positive().default(100),
  })
  .prefault({});

const email = z
  .strictObject({
    /** Sender of mails. */
    from: z.string().default("no-reply@localhost"),
    replyTo: z.string().optional(),
    /** `smtp://user:password@host:port`; without it mails are printed in development and not sent outside of it. */
    smtp: z.string().optional(),
  })
  .prefault({});

const logger = z
  .strictObject({ level: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info") })
  .prefault({});

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

export const configSchema = z.strictObject({
  server,
  database,
  locales,
  rest,
  documents,
  limits,
  cache: cacheConfig,
  graphql: graphqlConfig,
  openapi: openapiConfig,
  auth: authConfig,
  /** Action uids by role type, applied by `cms permissions apply`. */
  permissions: z.record(z.string(), z.array(z.string())).prefault({}),
  /**
   * Attributes by role type and content type that a role may see and write; without a list, all of them. `token:` and
   * the name of an API token stand for that token.
   */
  fields: z.record(z.string(), z.record(z.string(), z.array(z.string()))).prefault({}),
  media: mediaConfig,
  /** What custom fields of plugins are kept as, by uid: `{ "plugin::maps.place": "string" }`. */
  customFields: customFieldsConfig,
  email,
  logger,
  generate,
});

/** Configuration with every default filled in. */
export type Config = z.output<typeof configSchema>;
/** What a `cms.config.ts` may say. */
export type ConfigInput = z.input<typeof configSchema>;

/** What a `cms.config.ts` exports: what it says, or a function that says it of the environment, `.env` included. */
export type ConfigSource = ConfigInput | ((env: Readonly<Record<string, string | undefined>>) => ConfigInput);

/** Types the default export of `cms.config.ts`. */
export const defineConfig = (config: ConfigSource): ConfigSource => config;
