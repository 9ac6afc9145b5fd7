/** Restricts which attributes a role or an API token may read and write. */
import { didYouMean } from "../base/did-you-mean.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Config } from "../config/config.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { isUid } from "../schema/uid.ts";

/** The allowed attributes by type. Types that are not listed have no restriction. */
export type FieldLists = ReadonlyMap<Uid, ReadonlySet<string>>;

/** Prefix of the keys for API tokens. The types of roles cannot contain a colon. */
const TOKEN = "token:";

/** The key for the lists of an API token in the configuration. */
export const listsKeyOfToken = (name: string): string => `${TOKEN}${name}`;

/** Whether a caller with these lists may read and write an attribute of a type. */
export const isListed = (lists: FieldLists | undefined, uid: Uid, name: string): boolean =>
  lists?.get(uid)?.has(name) ?? true;

const faultsOf = (type: string, lists: Readonly<Record<string, readonly string[]>>, registry: Registry): string[] => {
  const { contentTypes } = registry;
  return Object.entries(lists).flatMap(([uid, names]) => {
    const attributes = Object.entries(contentTypes).find(([known]) => known === uid)?.[1].type.attributes;
    const place = `fields.${type}: `;
    if (!attributes) return [`${place}there is no content type "${uid}".${didYouMean(uid, Object.keys(contentTypes))}`];
    const known = Object.keys(attributes);
    return names
      .filter((name) => !known.includes(name))
      .map((name) => `${place}"${uid}" has no attribute "${name}".${didYouMean(name, known)}`);
  });
};

/** Messages about configured lists for roles or API tokens that do not exist, and that therefore restrict nobody. */
export const listsOfNobody = (
  { fields }: Pick<Config, "fields">,
  { roles, tokens }: { readonly roles: readonly string[]; readonly tokens: readonly string[] },
): readonly string[] => {
  const known = [...roles, ...tokens.map(listsKeyOfToken)];
  return Object.keys(fields)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const who = key.startsWith(TOKEN) ? `API token "${key.slice(TOKEN.length)}"` : `role "${key}"`;
      return `fields: there is no ${who}.${didYouMean(key, known)}`;
    });
};

/**
 * The configured lists by the type of the role, or by {@link listsKeyOfToken}.
 *
 * @throws ConfigError naming every type and attribute that does not exist
 */
export const createFieldLists = ({ fields }: Config, registry: Registry): ReadonlyMap<string, FieldLists> => {
  const faults = Object.entries(fields).flatMap(([type, lists]) => faultsOf(type, lists, registry));
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return new Map(
    Object.entries(fields).map(([type, lists]) => {
      const entries = Object.entries(lists).flatMap(([uid, names]): [Uid, ReadonlySet<string>][] =>
        isUid(uid) ? [[uid, new Set(names)]] : [],
      );
      return [type, new Map(entries)];
    }),
  );
};
