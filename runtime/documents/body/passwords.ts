import bcrypt from "bcrypt";
import type { Attribute, ComponentUid, Field } from "../../schema/content-type.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { ParsedItem } from "./parse.ts";

/** The component that an entry of `attribute` is of. */
const componentOf = (attribute: Attribute | Field | undefined, entry: ParsedItem): ComponentUid | undefined =>
  attribute?.type === "component" ? attribute.component : entry.component;

/** Whose passwords: a content type or component, and the schema that has its defaults. */
export interface PasswordOwner {
  readonly attributes: Attributed["attributes"];
  readonly schema: Schema;
  /** Whether what the item leaves out gets its default. */
  readonly hasDefault: (name: string) => boolean;
}

/** What is to be hashed: the given value, else the default. */
const passwordOf = ({ schema, hasDefault }: PasswordOwner, name: string, { scalars }: ParsedItem): unknown => {
  if (scalars.has(name)) return scalars.get(name);
  return hasDefault(name) ? membersOf(schema).get(name)?.default : undefined;
};

/** Entries are new where their owner is, and where they have no id; those get defaults. */
const entryOwner = (
  { registry }: WriteServices,
  uid: ComponentUid,
  entry: ParsedItem,
  isNew: boolean,
): PasswordOwner => ({
  attributes: registry.component(uid).attributes,
  schema: registry.componentValidator(uid),
  hasDefault: () => isNew || entry.data["id"] === undefined,
});

/**
 * The item with every password, also in components, replaced by its hash. Defaults are hashed here too, because from here
 * on no password can be told from its hash.
 */
export const hashPasswords = async (
  services: WriteServices,
  owner: PasswordOwner,
  item: ParsedItem,
  isNew: boolean,
): Promise<ParsedItem> => {
  const scalars = new Map(item.scalars);
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    if (attribute.type !== "password") continue;
    const value = passwordOf(owner, name, item);
    if (typeof value === "string") scalars.set(name, await bcrypt.hash(value, services.config.auth.passwords.rounds));
  }
  const components = new Map<string, readonly ParsedItem[]>();
  for (const [name, entries] of item.components) {
    const hashed = entries.map((entry) => {
      const uid = componentOf(owner.attributes[name], entry);
      if (uid === undefined) return entry;
      return hashPasswords(services, entryOwner(services, uid, entry, isNew), entry, isNew);
    });
    components.set(name, await Promise.all(hashed));
  }
  return { ...item, scalars, components };
};
