/** Identity providers: their addresses, and how to read their profiles. */
import { LRUCache } from "lru-cache";
import type { AuthorizationServer } from "oauth4webapi";
import { ApplicationError, HttpError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import { membersOf } from "../body-check.ts";

export type ProviderConfig = Config["auth"]["providers"][string];

/** A user's identity at a provider. */
export interface Profile {
  /** The id at the provider, which never changes. */
  readonly subject: string;
  readonly username: string;
  /** In lower case; undefined if the provider does not send it. */
  readonly email: string | undefined;
  /** Whether the address is known to belong to the user: the provider says so explicitly, or the configuration does. */
  readonly emailVerified: boolean;
}

export interface Provider {
  readonly server: AuthorizationServer;
  readonly scope: readonly string[];
  readonly profileAddress: URL;
  /** The address of the list of e-mail addresses, for providers whose profile may omit it. */
  readonly emailsAddress?: URL;
  read(profile: unknown): Profile;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;

/** Whether a claim is true; some providers send it as text. */
const isTrue = (claim: unknown): boolean => claim === true || claim === "true";

/**
 * Creates the function that reads a provider's profiles.
 *
 * @param names the members of the profile to read; without `verified`, the provider does not say whether addresses are
 *   verified
 * @param vouched whether to trust an address if the provider does not say that it is verified
 */
const profileFrom = (
  names: { subject: string; username: readonly string[]; email: readonly string[]; verified?: string },
  vouched: boolean,
): Provider["read"] => {
  const { subject, username, email, verified } = names;
  return (profile) => {
    const members = membersOf(profile);
    const first = (keys: readonly string[]) =>
      keys.map((key) => text(members[key])).find((value) => value !== undefined);
    const id = text(members[subject]);
    if (id === undefined) throw new ApplicationError("The provider did not say who you are.");
    const address = first(email)?.toLowerCase();
    const claim = verified === undefined ? undefined : members[verified];
    return {
      subject: id,
      username: first(username) ?? address?.split("@")[0] ?? id,
      email: address,
      emailVerified: claim === undefined ? vouched : isTrue(claim),
    };
  };
};

const openIdProfile = ({ emailsVerified }: ProviderConfig): Provider["read"] =>
  profileFrom(
    {
      subject: "sub",
      username: ["preferred_username", "nickname", "name"],
      email: ["email"],
      verified: "email_verified",
    },
    emailsVerified,
  );

const fixed: Readonly<Record<string, (config: ProviderConfig) => Provider>> = {
  google: (config) => ({
    server: {
      issuer: "https://accounts.google.com",
      authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
      token_endpoint: "https://oauth2.googleapis.com/token",
    },
    scope: ["openid", "email", "profile"],
    profileAddress: new URL("https://openidconnect.googleapis.com/v1/userinfo"),
    read: openIdProfile(config),
  }),
  github: () => ({
    server: {
      issuer: "https://github.com/login/oauth",
      authorization_endpoint: "https://github.com/login/oauth/authorize",
      token_endpoint: "https://github.com/login/oauth/access_token",
    },
    scope: ["user:email"],
    profileAddress: new URL("https://api.github.com/user"),
    emailsAddress: new URL("https://api.github.com/user/emails"),
    // The address in the profile is the public one; the list of addresses tells which are verified.
    read: profileFrom({ subject: "id", username: ["login"], email: [] }, false),
  }),
  gitlab: (config) => {
    const { issuer = "https://gitlab.com" } = config;
    return {
      server: {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
      },
      scope: ["openid", "email", "profile"],
      profileAddress: new URL("/oauth/userinfo", issuer),
      read: openIdProfile(config),
    };
  },
  microsoft: ({ tenant }) => ({
    server: {
      issuer: `https://login.microsoftonline.com/${tenant}`,
      authorization_endpoint: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
      token_endpoint: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
    },
    scope: ["User.Read"],
    profileAddress: new URL("https://graph.microsoft.com/v1.0/me"),
    // The administrator of the configured directory has assigned these addresses, so they are trusted.
    read: profileFrom({ subject: "id", username: ["displayName"], email: ["mail", "userPrincipalName"] }, true),
  }),
  facebook: ({ emailsVerified }) => ({
    server: {
      issuer: "https://www.facebook.com",
      authorization_endpoint: "https://www.facebook.com/v21.0/dialog/oauth",
      token_endpoint: "https://graph.facebook.com/v21.0/oauth/access_token",
    },
    scope: ["email"],
    profileAddress: new URL("https://graph.facebook.com/v21.0/me?fields=id,name,email"),
    read: profileFrom({ subject: "id", username: ["name"], email: ["email"] }, emailsVerified),
  }),
  discord: ({ emailsVerified }) => ({
    server: {
      issuer: "https://discord.com",
      authorization_endpoint: "https://discord.com/oauth2/authorize",
      token_endpoint: "https://discord.com/api/oauth2/token",
    },
    scope: ["identify", "email"],
    profileAddress: new URL("https://discord.com/api/users/@me"),
    read: profileFrom(
      { subject: "id", username: ["username"], email: ["email"], verified: "verified" },
      emailsVerified,
    ),
  }),
};

const HOUR = 3_600_000;

const discovered = async (
  issuer: string,
  config: ProviderConfig,
  ask: (issuer: string) => Promise<AuthorizationServer>,
): Promise<Provider> => {
  const server = await ask(issuer).catch((error: unknown) => {
    throw Object.assign(new HttpError(502, "BadGatewayError", "The provider does not answer"), { cause: error });
  });
  if (server.userinfo_endpoint === undefined) throw new Error(`${issuer} has no userinfo_endpoint.`);
  return {
    server,
    scope: ["openid", "email", "profile"],
    profileAddress: new URL(server.userinfo_endpoint),
    read: openIdProfile(config),
  };
};

/** The providers of one server. */
export const createProviders = ({ auth }: Config) => {
  /** The issuers' metadata, which seldom change. */
  const servers = new LRUCache<string, AuthorizationServer>({ max: 100, ttl: HOUR });
  const ask = async (issuer: string): Promise<AuthorizationServer> => {
    const known = servers.get(issuer);
    if (known) return known;
    const { discover } = await import("./requests.ts");
    const server = await discover(issuer);
    servers.set(issuer, server);
    return server;
  };
  return {
    /** The provider with this name: a built-in one, or an OpenID issuer from the configuration. */
    async named(name: string): Promise<{ provider: Provider; config: ProviderConfig }> {
      const config = Object.hasOwn(auth.providers, name) ? auth.providers[name] : undefined;
      const known = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
      if (config?.enabled && known) return { provider: known(config), config };
      if (config?.enabled && config.issuer !== undefined)
        return { provider: await discovered(config.issuer, config, ask), config };
      throw new ApplicationError("This provider is disabled");
    },
  };
};
