import { loadBcrypt } from "../../base/bcrypt.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { ParsedEntry, ParsedItem } from "./parse.ts";

/** The content type or component that has the passwords, and the schema with its defaults. */
export interface PasswordOwner {
  readonly attributes: Attributed["attributes"];
  readonly schema: Schema;
  /** Whether a missing attribute gets its default. */
  readonly hasDefault: (name: string) => boolean;
}

/** The password to hash: the given value, or else the default. */
const passwordOf = ({ schema, hasDefault }: PasswordOwner, name: string, { data }: ParsedItem): unknown => {
  if (Object.hasOwn(data, name)) return data[name];
  return hasDefault(name) ? membersOf(schema).get(name)?.default : undefined;
};

/** Entries get defaults if they are new: if their owner is new, or if they have no id. */
const entryOwner = ({ registry }: WriteServices, { component, data }: ParsedEntry, isNew: boolean): PasswordOwner => ({
  attributes: registry.component(component).attributes,
  schema: registry.componentValidator(component),
  hasDefault: () => isNew || data["id"] === undefined,
});

/**
 * Returns the item with every password replaced by its hash, also in components. Hashes defaults here too, because
 * after this step passwords and hashes cannot be told apart.
 */
export const hashPasswords = async <Item extends ParsedItem>(
  services: WriteServices,
  owner: PasswordOwner,
  item: Item,
  isNew: boolean,
): Promise<Item> => {
  const data: Record<string, unknown> = { ...item.data };
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    if (attribute.type !== "password") continue;
    const value = passwordOf(owner, name, item);
    if (typeof value !== "string") continue;
    const bcrypt = await loadBcrypt();
    data[name] = await bcrypt.hash(value, services.config.auth.passwords.rounds);
  }
  const components = new Map<string, readonly ParsedEntry[]>();
  for (const [name, entries] of item.components) {
    const hashed = entries.map((entry) => hashPasswords(services, entryOwner(services, entry, isNew), entry, isNew));
    components.set(name, await Promise.all(hashed));
  }
  return { ...item, data, components };
};
