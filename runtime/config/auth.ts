/** Configuration of users and tokens. */
import { z } from "zod";

/** A life or interval: a number and a unit, such as `10m`, `12h` or `30d`. */
const duration = z.string().regex(/^\d+(s|m|h|d)$/, "must be a number and s, m, h or d, such as 30d");

/** An identity provider: a built-in one, or another one with its addresses. */
const provider = z.strictObject({
  enabled: z.boolean().default(true),
  clientId: z.string(),
  clientSecret: z.string(),
  scope: z.array(z.string()).optional(),
  /**
   * Address of a provider that is self-hosted or has an address per customer (`auth0`, `keycloak`, `cognito`,
   * `gitlab`), or of any OpenID issuer.
   */
  issuer: z.url().optional(),
  /**
   * The Microsoft directory (its id or domain) whose users may log in. Their addresses are trusted, since its
   * administrators assign them.
   */
  tenant: z.string().optional(),
  /**
   * Set this if the provider verifies every address without saying so in its profiles. Addresses are then trusted
   * unless the provider says otherwise. Without it, new users need a profile with `email_verified: true`.
   */
  emailsVerified: z.boolean().default(false),
  /**
   * Where the browser is sent after the provider has answered, with `access_token`, to be passed on to the callback
   * route.
   */
  redirect: z.url().optional(),
});

/** Tenant names that mean any directory. They are refused: anybody can create a directory, and any address in it. */
const EVERY_TENANT: ReadonlySet<string> = new Set(["", "common", "organizations", "consumers"]);

const providers = z
  .record(z.string(), provider)
  .refine(({ microsoft }) => !microsoft?.enabled || !EVERY_TENANT.has(microsoft.tenant?.toLowerCase() ?? ""), {
    error: "microsoft needs a tenant, the id or domain of one directory: in others people choose their address freely",
  })
  .refine((all) => !Object.hasOwn(all, "local"), {
    error: "local is what users are marked with who have a password here: a provider of that name could claim them all",
  })
  .default({});

/** The `auth` section of the configuration: tokens, sessions, registration, passwords and providers. */
export const authConfig = z
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
        /** How long the previous refresh token is still accepted, in case a response was lost. */
        graceLifespan: duration.default("1m"),
        /** Whether the refresh token is sent in a cookie that scripts cannot read, and not in the body. */
        httpOnly: z.boolean().default(false),
        cookie: z
          .strictObject({
            name: z.string().default("strapi_up_refresh"),
            path: z.string().default("/"),
            domain: z.string().optional(),
            sameSite: z.enum(["Lax", "Strict", "None"]).default("Lax"),
            /** By default true outside development. */
            secure: z.boolean().optional(),
          })
          .prefault({}),
      })
      .prefault({}),
    /** The key for hashing API tokens. */
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
        /** Whether new users must follow a link in a mail before they can log in. */
        confirmEmail: z.boolean().default(false),
        /**
         * Whether requests for another confirmation mail get "Already confirmed" and "User blocked" in response, which
         * reveals to anyone who has an account.
         */
        tellConfirmed: z.boolean().default(false),
        /** Type of the role of new users. */
        defaultRole: z.string().default("authenticated"),
      })
      .prefault({}),
    passwords: z
      .strictObject({
        /** Cost of bcrypt: each step doubles the work. */
        rounds: z.number().int().min(4).max(15).default(10),
        /** Your own check: the password is refused if it returns `false` or a message. */
        validate: z
          .custom<(password: string) => boolean | string | Promise<boolean | string>>(
            (value) => typeof value === "function",
          )
          .optional(),
      })
      .prefault({}),
    /** Front-end pages that mails link to. */
    pages: z
      .strictObject({
        /** Receives `?code=`. */
        resetPassword: z.string().default(""),
        /** Where the browser is redirected after the address has been confirmed. */
        emailConfirmed: z.string().default("/"),
      })
      .prefault({}),
    resetCodeLifespan: duration.default("1h"),
    confirmationCodeLifespan: duration.default("3d"),
    providers,
  })
  .prefault({});
