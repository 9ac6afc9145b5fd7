/** The `Cache-Control` header of reads, by content type and role. */
import type { Caller } from "../../access/caller.ts";
import type { Roles } from "../../accounts/roles/roles.ts";
import { didYouMean } from "../../base/did-you-mean.ts";
import { ConfigError } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import { parseQuery } from "../../query/index.ts";
import type { Registry } from "../../schema/registry.ts";
import type { Headers } from "./headers.ts";

/** Query parameters that can ask for drafts. */
const ABOUT_DRAFTS = ["status", "publicationFilter", "hasPublishedVersion"];

/** Whether a query asks for published versions only. */
const asksForPublished = (text: string): boolean => {
  if (text === "") return true;
  const query = parseQuery(text);
  const { publicationState = "live" } = query;
  return publicationState === "live" && ABOUT_DRAFTS.every((name) => query[name] === undefined);
};

/** A read, as far as the rules look at it. */
interface Read {
  readonly caller: Caller;
  /** The query string, without the `?`. */
  readonly query: string;
  /** Whether the response may contain drafts that the query does not ask for. */
  readonly showsDrafts: boolean;
}

/** The value for answers that only the caller's own cache may keep. */
const PRIVATE = "private, no-cache";

/**
 * @throws ConfigError for rules that name unknown types, or that let shared caches keep answers meant for one caller
 */
const demandValid = (rules: Config["rest"]["cacheControl"], { contentTypes }: Registry): void => {
  const known = Object.keys(contentTypes);
  const faults = Object.entries(rules).flatMap(([role, values]) =>
    Object.entries(values).flatMap(([uid, value]) => {
      const place = `rest.cacheControl.${role}`;
      if (!known.includes(uid)) return [`${place}: there is no content type "${uid}".${didYouMean(uid, known)}`];
      if (role === "public" || !/\bpublic\b|\bs-maxage\b/i.test(value)) return [];
      return [
        `${place}: only what the public reads may be kept by shared caches, and "${uid}" says ${JSON.stringify(value)}`,
      ];
    }),
  );
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
};

/**
 * Reads the rules of the configuration; undefined if there are none. API tokens have no role: what they read is private.
 *
 * @throws ConfigError when a rule names a type that does not exist, or lets shared caches keep what only some callers
 *   may see
 */
export const createCacheControl = (
  { rest: { cacheControl } }: Pick<Config, "rest">,
  registry: Registry,
  roles: () => Pick<Roles, "all">,
) => {
  if (Object.keys(cacheControl).length === 0) return undefined;
  demandValid(cacheControl, registry);
  const ruled = new Set(Object.values(cacheControl).flatMap((values) => Object.keys(values)));
  const roleOf = ({ kind, roleId }: Caller): string | undefined => {
    if (kind === "public") return "public";
    if (kind !== "user") return undefined;
    return roles()
      .all()
      .find(({ id }) => id === roleId)?.type;
  };
  return {
    /** The caching headers for a read of documents of this type; none if no rule names the type. */
    headersFor(uid: string, { caller, query, showsDrafts }: Read): Headers {
      if (!ruled.has(uid)) return {};
      const role = !showsDrafts && asksForPublished(query) ? roleOf(caller) : undefined;
      const control = (role === undefined ? undefined : cacheControl[role]?.[uid]) ?? PRIVATE;
      return { "Cache-Control": control, Vary: "Origin, Authorization, Strapi-Response-Format" };
    },
  };
};

export type CacheControl = ReturnType<typeof createCacheControl>;
