/** What caches may keep of answers to reads, by content type and role. */
import type { Caller } from "../../access/caller.ts";
import type { Roles } from "../../accounts/roles/roles.ts";
import { didYouMean } from "../../base/did-you-mean.ts";
import { ConfigError } from "../../config/config-error.ts";
import type { Config } from "../../config/config.ts";
import type { Registry } from "../../schema/registry.ts";

export interface CacheControl {
  /**
   * The value of `Cache-Control` for what `caller` reads of a type; undefined where the configuration says nothing of the
   * type.
   *
   * @param published tells whether the query asks for nothing but what is published
   */
  of(uid: string, caller: Caller, published: () => boolean): string | undefined;
}

/** What stands where nobody but the caller may keep an answer. */
const PRIVATE = "private, no-cache";

/** @throws ConfigError naming every type that does not exist, and answers to callers that others could be shown */
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
 * Reads the rules of the configuration. API tokens have no role: what they read is private.
 *
 * @throws ConfigError when a rule names a type that does not exist, or would share what only some may see
 */
export const createCacheControl = (
  { rest: { cacheControl } }: Pick<Config, "rest">,
  registry: Registry,
  roles: () => Pick<Roles, "all">,
): CacheControl => {
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
    of(uid, caller, published) {
      if (!ruled.has(uid)) return undefined;
      const role = published() ? roleOf(caller) : undefined;
      return (role === undefined ? undefined : cacheControl[role]?.[uid]) ?? PRIVATE;
    },
  };
};
