/** Restricts which attributes a role or an API token may read and write. */
import { didYouMean } from "../base/did-you-mean.ts";
import { ConfigError } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import { TOKEN } from "../config/permissions.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { isUid } from "../schema/uid.ts";

type Use = "read" | "write";

/** The allowed attributes by type and use. Anything not listed is unrestricted. */
export type FieldLists = ReadonlyMap<Uid, Readonly<Record<Use, ReadonlySet<string> | undefined>>>;

/** The key for the lists and rules of an API token in the configuration. */
export const keyOfToken = (name: string): string => `${TOKEN}${name}`;

/** Whether a caller with these lists may read an attribute of a type, or write it. */
export const isListed = (lists: FieldLists | undefined, uid: Uid, name: string, use: Use): boolean =>
  lists?.get(uid)?.[use]?.has(name) ?? true;

type Configured = Config["fields"][string];

/** The lists of a type for each use; a single list covers both. */
const usesOf = (list: Configured[string]): Partial<Record<Use, readonly string[] | undefined>> =>
  Array.isArray(list) ? { read: list, write: list } : list;

const faultsOf = (type: string, lists: Configured, registry: Registry): string[] => {
  const { contentTypes } = registry;
  return Object.entries(lists).flatMap(([uid, list]) => {
    const attributes = Object.entries(contentTypes).find(([known]) => known === uid)?.[1].type.attributes;
    const place = `fields.${type}: `;
    if (!attributes) return [`${place}there is no content type "${uid}".${didYouMean(uid, Object.keys(contentTypes))}`];
    const known = Object.keys(attributes);
    const { read = [], write = [] } = usesOf(list);
    return [...new Set([...read, ...write])]
      .filter((name) => !known.includes(name))
      .map((name) => `${place}"${uid}" has no attribute "${name}".${didYouMean(name, known)}`);
  });
};

/** Warnings about lists for roles or API tokens, and rules for tokens, that do not exist, and so restrict nobody. */
export const restrictionsOfNobody = (
  { fields, permissions }: Pick<Config, "fields" | "permissions">,
  { roles, tokens }: { readonly roles: readonly string[]; readonly tokens: readonly string[] },
): readonly string[] => {
  const known = [...roles, ...tokens.map(keyOfToken)];
  const rules = Object.keys(permissions).filter((key) => key.startsWith(TOKEN));
  return Object.entries({ fields: Object.keys(fields), permissions: rules }).flatMap(([group, keys]) =>
    keys
      .filter((key) => !known.includes(key))
      .map((key) => {
        const who = key.startsWith(TOKEN) ? `API token "${key.slice(TOKEN.length)}"` : `role "${key}"`;
        return `${group}: there is no ${who}.${didYouMean(key, known)}`;
      }),
  );
};

/**
 * The configured lists by the type of the role, or by {@link keyOfToken}.
 *
 * @throws ConfigError naming every type and attribute that does not exist
 */
export const createFieldLists = ({ fields }: Config, registry: Registry): ReadonlyMap<string, FieldLists> => {
  const faults = Object.entries(fields).flatMap(([type, lists]) => faultsOf(type, lists, registry));
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return new Map(
    Object.entries(fields).map(([type, lists]) => {
      const entries = Object.entries(lists).flatMap(([uid, list]) => {
        const { read, write } = usesOf(list);
        return isUid(uid) ? [[uid, { read: read && new Set(read), write: write && new Set(write) }] as const] : [];
      });
      return [type, new Map(entries)];
    }),
  );
};
