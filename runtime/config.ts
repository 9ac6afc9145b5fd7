/** Configuration: the shape of `cms.config.ts`, its defaults, and the environment variables that win over it. */
import { z } from "zod";
import { graphqlConfig } from "./graphql/config.ts";
import type { StorageProvider } from "./media/storage.ts";

const isFunction = (value: unknown): boolean => typeof value === "function";

const port = z.coerce.number().int().min(0).max(65_535);

const server = z
  .strictObject({
    port: port.default(1337),
    host: z.string().default("0.0.0.0"),
    /** Public address, without a trailing slash; used in mails and redirects. */
    url: z.string().default(""),
    /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
    trustedProxies: z.array(z.string()).default([]),
    /** Largest JSON body in bytes. */
    bodyLimit: z.number().int().positive().default(1_048_576),
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
    replicas: z.array(z.string()).default([]),
    /** Connections of one process. postgres.js pipelines, so a few are enough. */
    pool: z.number().int().positive().default(8),
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
    /** Unknown top-level query keys are 400 instead of ignored. */
    strictParams: z.boolean().default(true),
    /** `readDraft`: reading drafts needs `<uid>.readDraft`; `find`: whoever may find may read drafts. */
    drafts: z.enum(["readDraft", "find"]).default("readDraft"),
    /** Deepest nesting of populate. */
    populateDepth: z.number().int().positive().default(20),
    /** Most relations, media and levels that one query may read. */
    planSize: z.number().int().positive().default(200),
    /** Attribute names hidden on every type. */
    privateAttributes: z.array(z.string()).default([]),
  })
  .prefault({});

/** A life or interval: a number and a unit, such as `10m`, `12h` or `30d`. */
const duration = z.string().regex(/^\d+(s|m|h|d)$/, "must be a number and s, m, h or d, such as 30d");

/** A provider of identities: one of the known ones, or any other with its addresses. */
const provider = z.strictObject({
  enabled: z.boolean().default(true),
  clientId: z.string(),
  clientSecret: z.string(),
  scope: z.array(z.string()).optional(),
  /** Address of a provider that everyone runs for themselves (`auth0`, `keycloak`, `cognito`, `gitlab`), or of any OpenID issuer. */
  issuer: z.url().optional(),
  /** Where the browser goes when the provider has answered; it receives `access_token`, to be given to the callback route. */
  redirect: z.url().optional(),
});

const auth = z
  .strictObject({
    jwt: z
      .strictObject({
        mode: z.enum(["refresh", "legacy"]).default("refresh"),
        secret: z.string().min(16).optional(),
        /** Life of a token in legacy mode. */
        expiresIn: duration.default("30d"),
      })
      .prefault({}),
    /** Refresh mode. */
    sessions: z
      .strictObject({
        accessTokenLifespan: duration.default("10m"),
        /** A session that is not used for this long ends. */
        idleLifespan: duration.default("14d"),
        /** A session ends after this long in any case. */
        maxLifespan: duration.default("30d"),
        /** The refresh token goes into a cookie that scripts cannot read, rather than into the body. */
        httpOnly: z.boolean().default(false),
        cookie: z
          .strictObject({
            name: z.string().default("strapi_up_refresh"),
            path: z.string().default("/"),
            domain: z.string().optional(),
            sameSite: z.enum(["Lax", "Strict", "None"]).default("Lax"),
            /** By default: outside development. */
            secure: z.boolean().optional(),
          })
          .prefault({}),
      })
      .prefault({}),
    /** Key of the hashes of API tokens. */
    tokenSalt: z.string().optional(),
    rateLimit: z
      .union([
        z.literal(false),
        z.strictObject({
          max: z.number().int().positive().default(10),
          intervalSeconds: z.number().int().positive().default(60),
        }),
      ])
      .prefault({}),
    register: z
      .strictObject({
        enabled: z.boolean().default(true),
        /** Attributes of the user that may be set besides `username`, `email` and `password`. */
        allowedFields: z.array(z.string()).default([]),
        /** A new user has to follow a link in a mail before logging in. */
        confirmEmail: z.boolean().default(false),
        /** Type of the role of new users. */
        defaultRole: z.string().default("authenticated"),
      })
      .prefault({}),
    passwords: z
      .strictObject({
        /** Cost of bcrypt: each step doubles the work. */
        rounds: z.number().int().min(4).max(15).default(10),
        /** A check of your own; `false` or a text refuses the password. */
        validate: z.custom<(password: string) => boolean | string | Promise<boolean | string>>(isFunction).optional(),
      })
      .prefault({}),
    /** Pages of the front end that mails lead to. */
    pages: z
      .strictObject({
        /** Receives `?code=`. */
        resetPassword: z.string().default(""),
        /** Where the browser goes when the address has been confirmed. */
        emailConfirmed: z.string().default("/"),
      })
      .prefault({}),
    resetCodeLifespan: duration.default("1h"),
    confirmationCodeLifespan: duration.default("3d"),
    providers: z.record(z.string(), provider).default({}),
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

const isStorageProvider = (value: unknown): value is StorageProvider =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  ["put", "stat", "read", "delete", "url", "list"].every((name) => isFunction(Reflect.get(value, name)));

const s3 = z.strictObject({
  bucket: z.string().min(1),
  region: z.string().default("us-east-1"),
  /** Address of a service other than Amazon's, such as `https://s3.example.com`. */
  endpoint: z.url().optional(),
  /** By default `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  accessKeyId: z.string().optional(),
  secretAccessKey: z.string().optional(),
  /** The bucket is a folder of the address rather than a part of the host name. By default: with an `endpoint`. */
  pathStyle: z.boolean().optional(),
  /** Goes before every key, such as `site/`. */
  prefix: z.string().default(""),
  /** Where clients find the objects; without it this server hands them out below `/uploads`. */
  publicUrl: z.url().optional(),
});

const media = z
  .strictObject({
    /** Largest file in bytes. */
    sizeLimit: z.number().int().positive().default(200_000_000),
    /** A sender who pauses for longer is given up. */
    idleSeconds: z.number().positive().default(60),
    /** Media types, such as `image/png`, `image/*` or all of them (the default). What `deny` names is refused even if `allow` has it. */
    types: z
      .strictObject({ allow: z.array(z.string()).default(["*/*"]), deny: z.array(z.string()).default([]) })
      .prefault({}),
    /** Smaller versions of images: the longest side in pixels, by name. */
    formats: z
      .record(z.string().regex(/^(?!thumbnail$)[a-z][a-z0-9-]*$/i), z.number().int().positive())
      .default({ large: 1000, medium: 750, small: 500 }),
    images: z
      .strictObject({
        /** Whether a format `thumbnail` of at most 245 by 156 pixels is made. */
        thumbnail: z.boolean().default(true),
        /** Whether originals are compressed, where that makes them smaller. */
        optimize: z.boolean().default(true),
        /** Most pixels of an image: what it takes in memory, however small the file is. */
        pixelLimit: z.number().int().positive().default(150_000_000),
      })
      .prefault({}),
    enforceAllowedTypes: z.boolean().default(true),
    provider: z
      .union([
        z.enum(["local", "s3"]),
        z.custom<StorageProvider>(isStorageProvider, {
          error: 'expected "local", "s3" or an object with name, put, stat, read, delete, url and list',
        }),
      ])
      .default("local"),
    /** Folder of the files, relative to the root. */
    directory: z.string().min(1).default("public/uploads"),
    s3: s3.optional(),
  })
  .refine((value) => value.provider !== "s3" || value.s3 !== undefined, {
    error: 'media.s3 must say which bucket to use when the provider is "s3"',
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
  })
  .prefault({});

export const configSchema = z.strictObject({
  server,
  database,
  locales,
  rest,
  graphql: graphqlConfig,
  auth,
  /** Action uids by role type, applied by `cms permissions apply`. */
  permissions: z.record(z.string(), z.array(z.string())).prefault({}),
  /** Attributes by role type and content type that a role may see and write; without a list, all of them. */
  fields: z.record(z.string(), z.record(z.string(), z.array(z.string()))).prefault({}),
  media,
  email,
  logger,
  generate,
});

/** Configuration with every default filled in. */
export type Config = z.output<typeof configSchema>;
/** What a `cms.config.ts` may say. */
export type ConfigInput = z.input<typeof configSchema>;

/** Types the default export of `cms.config.ts`. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
